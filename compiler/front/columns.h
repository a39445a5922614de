/* What a recipe says of the columns of a table: `missing`, `ignore` and `pass`. */
#ifndef NNC_COLUMNS_RULES_H
#define NNC_COLUMNS_RULES_H

#include "base/writer.h"
#include "front/setting.h"

bool read_missing(Reader *r);
bool read_ignore(Reader *r);
bool read_pass(Reader *r);
/* "; missing age,income flag; pass Id": as the recipe's one-line text goes on. */
void write_column_rules(Writer *w, const Recipe *r);

#endif
