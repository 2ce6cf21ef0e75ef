#ifndef OVERT_BASE_ESCAPE_H_
#define OVERT_BASE_ESCAPE_H_

#include "overt/text.h"  // escape_name

#endif  // OVERT_BASE_ESCAPE_H_
