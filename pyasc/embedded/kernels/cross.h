// Cross products of vectors of three elements.
#pragma once

#include "kernels/view.h"

namespace pyasc {

// Whether a and b broadcast to out, and all three have 3 elements along `axis` of out.
bool cross_fits(const View& a, const View& b, const View& out, int axis);

// out = a x b along `axis` of out. One dtype; out overlaps neither input.
void cross(const View& a, const View& b, const View& out, int axis);

}  // namespace pyasc
