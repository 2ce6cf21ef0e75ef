#ifndef OVERT_BASE_NEAREST_H_
#define OVERT_BASE_NEAREST_H_

#include "overt/text.h"  // nearest_name

#endif  // OVERT_BASE_NEAREST_H_
