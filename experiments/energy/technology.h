// From the process and voltage that a value is given for to those of the machine that is priced.
//
//   energy of an event  ~ V^2 x feature size   (charge of capacitances that shrink with the wires; McPAT's rule for
//                                               logic; CACTI's arrays follow V^2, and scale between nodes within 2 x)
//   energy of wires     ~ V^2                  (of a length that the process does not change: the capacitance of a mm
//                                               hardly depends on it [recalled: Ho, Mai, Horowitz, Proc. IEEE 2001])
//   area                ~ feature size^2
//   leakage of an area  ~ V                    (at one temperature and one kind of transistor: nodes differ by what
//                                               their transistors are, so no rule is made of the node)
#pragma once

namespace energy {

struct Technology {
    double node_nm = 0;
    double voltage = 0;  // V

    friend bool operator==(const Technology&, const Technology&) = default;
};

constexpr double wire_factor(const Technology& given, const Technology& wanted) {
    const double volts = wanted.voltage / given.voltage;
    return volts * volts;
}
constexpr double energy_factor(const Technology& given, const Technology& wanted) {
    return wire_factor(given, wanted) * (wanted.node_nm / given.node_nm);
}
constexpr double area_factor(const Technology& given, const Technology& wanted) {
    const double lengths = wanted.node_nm / given.node_nm;
    return lengths * lengths;
}
constexpr double leakage_factor(const Technology& given, const Technology& wanted) {
    return wanted.voltage / given.voltage;
}

}  // namespace energy
