" Networks of nnc. The syntax is made of nnc's own words: nnc --manual=vim
autocmd BufRead,BufNewFile *.net setfiletype nnc
