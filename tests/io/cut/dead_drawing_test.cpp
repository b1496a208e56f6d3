// What is not rendered before a cut must leave nothing behind: by hand where it is not obvious, then by chance.
#include "io/cut/dead_drawing.h"

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/io/cut/cut_comparison.h"
#include "tests/models/functional/pipeline/scene.h"

namespace {

using io::expect_same;
using models::functional::clear_depth_bit;
using models::functional::clear_first_colour_bit;
using models::functional::clear_stencil_bit;
using models::functional::ObjectType;
using models::functional::Scene;
using models::functional::whole_window;
using models::functional::WordList;

constexpr std::uint32_t rgba8 = 67, depth_16 = 16, depth_stencil = 20;  // formats
constexpr std::uint32_t texture_and_target = 10, depth_only = 1;        // what resources are for

std::uint32_t surface_of(Scene& scene, std::uint32_t resource, std::uint32_t format) {
    const std::uint32_t surface = scene.handle();
    scene.commands.create(ObjectType::surface, {surface, resource, format, 0, 0});
    return surface;
}

std::uint32_t image(Scene& scene, std::uint32_t format, std::uint32_t bind, std::uint32_t size) {
    const std::uint32_t resource = scene.handle();
    scene.stream.resource(resource, 2, format, bind, size, size);
    return resource;
}

// Draws what is in the texture into the window.
void show(Scene& scene, std::uint32_t texture) {
    scene.target({Scene::window_surface}, 0, 16, 16);
    scene.depth_test(0);
    scene.bind_texture(texture);
    scene.fragment_shader(models::functional::textured);
    scene.draw(whole_window(0));
}

TEST(DeadDrawing, TheDepthThatAPictureIsTestedAgainstIsCleared) {
    Scene scene(16, 16);
    const std::uint32_t map = image(scene, rgba8, texture_and_target, 16);
    const std::uint32_t depth = image(scene, depth_stencil, depth_only, 16);
    scene.target({surface_of(scene, map, rgba8)}, surface_of(scene, depth, depth_stencil), 16, 16);
    scene.clear(clear_first_colour_bit, {1, 1, 1, 0});
    scene.clear(clear_depth_bit | clear_stencil_bit);  // of nothing that the frames use
    scene.depth_test(Scene::less_and_write);
    scene.draw(whole_window(0, models::functional::red));
    scene.end_frame();
    show(scene, map);
    scene.end_frame();
    expect_same(scene.stream.bytes(), 1, 1);
}

TEST(DeadDrawing, TheDepthThatAPictureIsTestedAgainstIsDrawn) {
    Scene scene(16, 16);
    const std::uint32_t map = image(scene, rgba8, texture_and_target, 16);
    scene.clear(clear_depth_bit);
    scene.depth_test(Scene::less_and_write);
    scene.draw({{-1, -1, -0.5F, 1}, {1, -1, -0.5F, 1}, {-1, 1, -0.5F, 1}});
    scene.target({surface_of(scene, map, rgba8)}, Scene::depth_surface, 16, 16);
    scene.draw(whole_window(0, models::functional::red));
    scene.end_frame();
    show(scene, map);
    scene.end_frame();
    expect_same(scene.stream.bytes(), 1, 1);
}

// The parameters of indirect draws are written in a frame before the cut, by a copy which nothing else needs.
TEST(DeadDrawing, TheParametersOfIndirectDrawsAreCopied) {
    Scene scene(16, 16);
    const std::uint32_t parameters = scene.handle(), source = scene.handle();
    const WordList six_vertices{6, 1, 0, 0};
    scene.stream.resource(source, 0, 64, 16, 16, 1).put(source, 0, 16, 1, six_vertices);
    scene.stream.resource(parameters, 0, 64, 16, 16, 1).put(parameters, 0, 16, 1, {0, 0, 0, 0});
    scene.commands.add(models::functional::VirglCommand::resource_copy_region,
                       {parameters, 0, 0, 0, 0, source, 0, 0, 0, 0, 16, 1, 1});
    scene.end_frame();
    scene.vertices(whole_window(0, models::functional::red));
    scene.draw_indirect({}, {}, parameters);
    scene.end_frame();
    expect_same(scene.stream.bytes(), 1, 1);
}

// With a smaller depth buffer bound, a clear reaches no further than it.
TEST(DeadDrawing, WhatIsBesideASmallerSurfaceOfTheFramebufferIsNotCleared) {
    for (const bool in_the_frame : {false, true}) {
        Scene scene(16, 16);
        scene.draw(whole_window(0, models::functional::red));
        scene.target({Scene::window_surface}, surface_of(scene, image(scene, depth_16, depth_only, 8), depth_16), 8, 8);
        if (in_the_frame) scene.end_frame();
        scene.clear(Scene::clear_all, {0, 1, 0, 1});
        if (!in_the_frame) scene.end_frame();
        scene.target({Scene::window_surface}, 0, 16, 16);
        scene.draw({{-1, -1, 0, 1}, {0, -1, 0, 1}, {-1, 0, 0, 1}});
        scene.end_frame();
        expect_same(scene.stream.bytes(), 1, 1);
    }
}

// Clears, draws, blits and copies among a window, three textures, one of them smaller, and three depth buffers.
class Medley {
  public:
    explicit Medley(std::uint32_t seed) : random_(seed) {
        for (const std::uint32_t size : {16U, 16U, 8U}) {
            const std::uint32_t texture = image(scene_, rgba8, texture_and_target, size);
            textures_.push_back({texture, surface_of(scene_, texture, rgba8), size});
        }
        depths_ = {0, Scene::depth_surface,
                   surface_of(scene_, image(scene_, depth_stencil, depth_only, 16), depth_stencil),
                   surface_of(scene_, image(scene_, depth_16, depth_only, 8), depth_16)};
    }
    void step() {
        switch (pick(6)) {
            case 0:
            case 1:
                return clear();
            case 2:
                return transfer();
            default:
                return draw();
        }
    }
    void end_frame() { scene_.end_frame(); }
    void show_all() {
        for (const Texture& texture : textures_) {
            show(scene_, texture.resource);
            scene_.end_frame();
        }
    }
    models::functional::Bytes bytes() const { return scene_.stream.bytes(); }

  private:
    struct Texture {
        std::uint32_t resource = 0, surface = 0, size = 0;
    };
    std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
    float coordinate() { return static_cast<float>(pick(9)) / 4 - 1; }
    std::array<float, 4> colour() {
        return {static_cast<float>(pick(2)), static_cast<float>(pick(2)), static_cast<float>(pick(2)), 0.5F};
    }

    // Binds one or two of the window (number 3) and the textures. Which number is free to be sampled.
    std::uint32_t target() {
        const std::uint32_t first = pick(4);
        const std::uint32_t second = pick(2) == 0 ? (first + 1) % 4 : first;
        WordList surfaces{surface(first)};
        if (second != first) surfaces.push_back(surface(second));
        scene_.target(surfaces, depths_[pick(4)], 16, 16);
        for (std::uint32_t other = 0;; ++other)
            if (other != first && other != second) return other;
    }
    std::uint32_t surface(std::uint32_t number) const {
        return number == 3 ? Scene::window_surface : textures_[number].surface;
    }
    void clear() {
        target();
        scene_.clear(1 + pick(15), colour());
    }
    void draw() {
        const std::uint32_t source = target();
        const std::array tests{0U, Scene::less_only, Scene::less_and_write, 3 | 7U << 2};
        scene_.depth_test(tests[pick(4)]);
        scene_.blend(pick(2) == 0 ? Scene::opaque : Scene::translucent);
        scene_.bind_texture(textures_[source].resource);
        scene_.fragment_shader(pick(2) == 0 ? models::functional::textured : models::functional::coloured);
        const float z = coordinate();
        if (pick(3) == 0) return scene_.draw(whole_window(z, colour()));
        scene_.draw({{coordinate(), coordinate(), z, 1, colour()},
                     {coordinate(), coordinate(), z, 1, colour()},
                     {coordinate(), coordinate(), z, 1, colour()}});
    }
    void transfer() {
        const std::uint32_t from = pick(3);
        const Texture& source = textures_[from];
        const Texture& destination = textures_[(from + 1 + pick(2)) % 3];
        if (pick(2) == 0) return scene_.copy(destination.resource, 0, 0, source.resource, 1 + pick(8));
        scene_.blit(destination.resource, 0, destination.size >> pick(2), source.resource, 0, source.size);
    }

    std::mt19937 random_;  // its numbers are the same everywhere
    Scene scene_{16, 16};
    std::vector<Texture> textures_;
    std::vector<std::uint32_t> depths_;  // surfaces
};

TEST(DeadDrawing, NoneOfAThousandMedleysChanges) {
    for (std::uint32_t seed = 0; seed < 1000 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Medley medley(seed);
        for (std::uint32_t frame = 0; frame < 2; ++frame) {
            for (std::uint32_t i = 0; i < 6; ++i) medley.step();
            medley.end_frame();
        }
        medley.show_all();
        expect_same(medley.bytes(), 1, 4);
        expect_same(medley.bytes(), 2, 4);
    }
}

}  // namespace
