// Unfinished: what a process still has to do, as one text for LogicalProcess::unfinished(): empty if nothing.
#pragma once

#include <string>

namespace models {

class Unfinished {
  public:
    void add_if(bool condition, const std::string& what) {
        if (condition) text_ += (text_.empty() ? "" : ", ") + what;
    }
    void add(const std::string& what) { add_if(!what.empty(), what); }  // of a part; may be empty
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

}  // namespace models
