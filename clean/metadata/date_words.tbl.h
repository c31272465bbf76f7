/* date_words.tbl.h -- words round dates, lower case, in the target languages
 * and some more.  DATE_WORDS(id, words). */
DATE_WORDS(UPDATED,
           "updated update modified revised edited reviewed aktualisiert "
           "geändert überarbeitet stand bijgewerkt gewijzigd modifié "
           "actualisé actualizado actualización modificado aggiornato "
           "aggiornamento uppdaterad uppdaterat ändrad atualizado "
           "atualizada opdateret oppdatert päivitetty zaktualizowano "
           "aktualizacja aktualizováno frissítve actualizat обновлено "
           "оновлено güncelleme ενημέρωση")
DATE_WORDS(PUBLISHED,
           "published posted post publication written released "
           "veröffentlicht erstellt erschienen gepubliceerd geplaatst "
           "publié publiée paru publicado publicada pubblicato "
           "pubblicata publicerad publicerat offentliggjort publisert "
           "julkaistu opublikowano dodano publikováno vydáno "
           "megjelent publicat опубликовано опубліковано yayınlanma "
           "δημοσίευση date datum fecha data dato")
DATE_WORDS(EVENT, "event events expires deadline until bis registration starts "
                  "ends joined since copyright born died copyrighted updates "
                  "comments comment reply said says")
