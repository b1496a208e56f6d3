// How frames are rendered, and the parameters of tile-based rendering.
#pragma once

#include "models/base/clocks.h"

namespace models {

enum class Rendering : std::uint8_t { immediate, tiled, tiled_hidden_surface_removal };
enum class Organisation : std::uint8_t { raster_per_gpu, tile_per_core };
enum class TileOrder : std::uint8_t { row, morton };
enum class Binning : std::uint8_t { bounding_box, exact };

struct RenderingParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Choice<Rendering> mode{this,
                           "mode",
                           {{"immediate", Rendering::immediate},
                            {"tiled", Rendering::tiled},
                            {"tiled_hidden_surface_removal", Rendering::tiled_hidden_surface_removal}},
                           Rendering::tiled_hidden_surface_removal,
                           "primitive by primitive with depth and colours in memory, tile by tile, or so with the "
                           "visible opaque fragments found one tile ahead",
                           "paper 004, section V-A: the baseline renders tiles with hidden-surface removal"};
    Choice<Organisation> organisation{
        this,
        "organisation",
        {{"raster_per_gpu", Organisation::raster_per_gpu}, {"tile_per_core", Organisation::tile_per_core}},
        Organisation::raster_per_gpu,
        "one rasteriser and one colour stage for all cores, or one of each in every cluster, which renders whole tiles",
        "papers 000 to 004 have one; Arm's GPUs have one in every core"};
};

struct TilingParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Bytes> parameter_buffer{
        this,
        "parameter_buffer",
        {32 << 20},
        {{1 << 16}, {1 << 29}},
        "memory for the primitives and tile lists of one pass; there are two such buffers",
        "design"};
    Parameter<Bytes> list_entry{this,
                                "list_entry",
                                {4},
                                {{4}, {64}},
                                "bytes of a primitive's entry in the list of a tile",
                                "design: an index of 32 bits"};
    Parameter<Bytes> primitive_header{this,
                                      "primitive_header",
                                      {4},
                                      {{0}, {64}},
                                      "bytes of a primitive beside its three vertices of 16 bytes an attribute",
                                      "paper 004, Table I: triangle entry 388 bytes = 3 x 128 + 4"};
    Parameter<int> write_buffer{
        this, "write_buffer", 16, {1, 256}, "lines of tile lists collected before they are written", "design"};
    Parameter<int> triangle_queue{this,
                                  "triangle_queue",
                                  16,
                                  {2, 4096},
                                  "entries between tile fetcher and rasteriser (triangles and tiles)",
                                  "paper 004, Table I (388 bytes an entry)"};
    Choice<TileOrder> tile_order{this,
                                 "tile_order",
                                 {{"row", TileOrder::row}, {"morton", TileOrder::morton}},
                                 TileOrder::row,
                                 "order in which tiles are rendered: row by row, or along a Z curve",
                                 "design"};
    Choice<Binning> binning{this,
                            "binning",
                            {{"bounding_box", Binning::bounding_box}, {"exact", Binning::exact}},
                            Binning::bounding_box,
                            "which tiles list a primitive: all of its bounding box, or those it covers",
                            "design"};
    void check() const override;
};

}  // namespace models
