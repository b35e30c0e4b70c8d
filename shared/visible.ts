/** A character that is seen: no control, no space of any width, no filler. What people type as a name or a title has one. */
export const VISIBLE = /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\s\u2800]/u;
