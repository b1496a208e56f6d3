// Pinning: keeps threads on cores of their own.
#pragma once

#include <memory>

namespace engine {

// The cores that this program may use.
class Cores {
  public:
    Cores();
    ~Cores();
    Cores(const Cores&) = delete;
    Cores& operator=(const Cores&) = delete;

    int count() const;

    // Keeps the calling thread on one of the cores (i modulo their number) as long as it lives; then the thread may run
    // again where it might before. Does nothing where the system does not allow it.
    class Pin {
      public:
        Pin(const Cores& cores, int i);
        ~Pin();
        Pin(const Pin&) = delete;
        Pin& operator=(const Pin&) = delete;

      private:
        struct Binding;
        std::unique_ptr<Binding> before_;
    };

  private:
    struct Topology;
    std::unique_ptr<Topology> topology_;
};

}  // namespace engine
