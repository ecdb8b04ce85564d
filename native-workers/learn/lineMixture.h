// The law of the range of one beam through a learned model (Browning 2012, eq. 18 to 24; PHYSICS.md, 2.5).
#pragma once

#include <vector>

namespace understory {

// A part that a line meets: an element, whose range follows the normal law above 0, or a surface, with its noise.
struct LineMember {
  double rangeM = 0.0;
  double sigmaM = 0.0;
  double permeability = 0.0;
  bool isSurface = false;
};

// Ranges that a sensor can report, for the floor of likelihoods.
struct RangeWindow {
  double minM = 0.0;
  double maxM = 0.0;
};

// Whether a beam meets one member before another: by range, surfaces before elements at the same one.
inline bool alongLineOrder(const LineMember& a, const LineMember& b) {
  return a.rangeM != b.rangeM ? a.rangeM < b.rangeM : a.isSurface && !b.isSurface;
}

// Sorts members as a beam meets them.
void sortAlongLine(std::vector<LineMember>& members);

// Probability that the beam passes all.
double passedShare(const std::vector<LineMember>& members);

// Probability that a range is drawn that the sensor does not report. `members` are sorted.
double unreportedShare(const std::vector<LineMember>& members, const RangeWindow& window);

// Density of a range, per millimetre. `members` are sorted. A range drawn on an element ends at the first triangle
// behind the element that the beam does not pass, exactly: that mass lies in the millimetre around the triangle.
double rangeDensity(const std::vector<LineMember>& members, double rangeM);

// -ln of p = 0.99·p_model + 0.01·p0; p0 is ½ without a return, else ½ over the window in millimetres. NaN: no return.
double negativeLogLikelihood(const std::vector<LineMember>& members, double rangeM,
                             const RangeWindow& window);

}  // namespace understory
