/* lexicon.tbl.h -- short word lists, in lower case.
 *
 * LANGUAGE(id, words): frequent function words of a language, so that the
 * share of them in a block can be counted.  LEXICON(id, words): words that
 * betray what a block is for, in several languages at once. */
LANGUAGE(EN, "the of and to a in is that for it on as with was are be this by "
             "at from have or an not but you they his her we he she which "
             "their has had will can all would there been if more when who "
             "what about i your its were our my than then them into could")
LANGUAGE(DE, "der die das und in zu den ist nicht von sie mit sich des auf für "
             "im dem ein eine als auch es an er werden aus hat dass bei wird um "
             "am nach wie einer noch sind einem über so zum war haben nur oder "
             "aber vor zur bis mehr durch man ich wir wenn einen kann ihr")
LANGUAGE(NL, "de het een en van in is dat op te zijn met voor niet die er aan om "
             "ook als maar bij of dan uit nog naar door over wordt worden heeft "
             "hebben was ze hij je we wij ik deze dit kan zo meer geen wat tot "
             "zich hun haar tegen al veel kunnen werd onder tussen moet")
LANGUAGE(FR, "de la le et les des en un du une que est pour qui dans a par plus "
             "pas au sur ne se ce il sont avec son aux d l on mais comme ou "
             "cette été ont nous vous ses leur elle je sa ces y tout fait être "
             "même qu s n c aussi entre sans deux")
LANGUAGE(IT, "di e il la che in un a per è una sono con non del si le da al dei "
             "nel come più lo alla i della ha ma anche o gli delle questo suo "
             "se dal ed alle l dell nella ci dalla cui essere hanno quando io "
             "tutti c tra sul")
LANGUAGE(ES, "de la que el en y a los del se las por un para con no una su al "
             "lo como más pero sus le ya o este sí porque esta entre cuando muy "
             "sin sobre también me hasta hay donde quien es son fue ha era ser "
             "dos desde todo nos")
LANGUAGE(PT, "de a o que e do da em um para é com não uma os no se na por mais "
             "as dos como mas foi ao ele das tem à seu sua ou ser quando muito "
             "há nos já está eu também só pelo pela até isso são entre era "
             "depois sem mesmo aos")
LANGUAGE(SV, "och att i det som en på är av för med till den har de inte om ett "
             "men jag var från vid så han kan när man nu ska sin eller hon där "
             "under också efter upp vi än hade ut mot alla då bara mycket sig "
             "över blir får detta oss deras")
LANGUAGE(DA, "og i at det er en til på som de med for den af ikke der har et om "
             "var han jeg men sig fra vi kan så nu også eller hun skal ved "
             "efter når hvor blev over ud være mange meget end bliver kun alle "
             "deres mod dette hvis")
LANGUAGE(NO, "og i det er på som en til av for med at å den har ikke de om et "
             "var fra han men seg jeg vi kan så også eller hun skal ved etter "
             "når hvor ble over ut være mange mye enn blir bare alle dette hvis "
             "opp nå mot sin")
LANGUAGE(FI, "ja on ei se että oli hän mutta ovat joka myös kuin niin tai kun "
             "jo ole mukaan vain sen jos nyt voi vielä mitä he noin sekä ne "
             "tämä kanssa jotka mukaan olla olisi jälkeen siitä tämän minun "
             "ennen hyvin koko")
LANGUAGE(PL, "w i na z do się nie to jest że o za od po przez jak ale dla co tym "
             "są tego jego ze tak oraz już czy był który które także być przed "
             "jednak a może ich lub tylko jej by została było która można przy "
             "nad więc kiedy bardzo")
LANGUAGE(CS, "a v se na je že s z do i o to k ve pro za by ale si po jako od jsou "
             "tak které který jeho která však nebo také byl jen už při až bylo "
             "není co ze než má být podle než před této mezi kdy")
LANGUAGE(SK, "a v sa na je že s z do i o to k vo pre za by ale si po ako od sú "
             "tak ktoré ktorý jeho ktorá však alebo aj bol len už pri až bolo "
             "nie čo zo než má byť podľa pred medzi keď")
LANGUAGE(HU, "a az és hogy nem is egy ez volt meg csak de már el ha mint még azt "
             "van vagy ki most után kell be majd minden lehet pedig sem ami "
             "mert én mi ezt így úgy nagyon illetve amely szerint")
LANGUAGE(RO, "de și în a la cu o nu care pe un din că se mai pentru este au fost "
             "ca sau sunt prin dar să al ale după cele lui fi dintre între "
             "această cea i")
LANGUAGE(RU, "и в не на что с по как это он из но за к у о от же для так бы его "
             "все мы они было она был а или только ее их до во если также уже "
             "при со может того этого который я мне вы ты то где когда очень "
             "нет были чтобы")
LANGUAGE(UK, "і в не на що з у як це він із але за до та й від про для так його "
             "всі ми вони було вона був а або тільки її їх якщо також вже при "
             "може того який які яка є бути після більше")
LANGUAGE(BG, "и на да в се не е за от с по че са като това към но или си той до "
             "ще така които който която беше при има след само още може")
LANGUAGE(EL, "και το να του η της με ο για που την από στο τον οι τα των στην "
             "ότι δεν θα είναι τη τους στη στον ένα μια στις τις κατά σε αλλά "
             "όπως αυτό πως μας ή έχει αν ως μετά μου σας")
LANGUAGE(TR, "ve bir bu da de için ile olarak çok daha olan gibi en kadar ne var "
             "ise o ama sonra her ya ki mi olduğu değil göre ben ancak oldu "
             "kendi tarafından")
LANGUAGE(ID, "yang dan di dengan untuk dari ini itu dalam pada tidak adalah ke "
             "akan oleh juga telah saya kita ada mereka bisa karena sebagai "
             "atau lebih kami anda dia bahwa dapat tersebut")
LANGUAGE(CA, "de la i el que a en els per un les una amb del és no al es va com "
             "dels més ha o són però també aquesta se seva aquest fins entre "
             "quan sobre molt ser han")
LANGUAGE(HR, "i u je na se da za od su s o ne koji što kao iz a će biti do po ili "
             "koja to bi ali koje sam samo te može više nakon prema bio kako")
LANGUAGE(ET, "ja on ei et oma ka see ta kui aga või oli mis seda ning mida kes "
             "nii siis selle pole oma veel välja üle mitte need võib")
LANGUAGE(ZH, "的 了 是 在 和 有 不 人 这 中 他 为 上 个 我 们 以 要 到 说 就 也 对 而 与 及 等")
LANGUAGE(JA, "の に は を た が で て と し れ さ い る な も か ら り")
LANGUAGE(KO, "이 그 수 것 등 및 있는 있다 한 할 더 또 그리고 하는 대한 위해 통해 에서 으로 했다")
LANGUAGE(AR, "في من على إلى أن التي الذي عن مع هذا هذه كان ما لا بعد كما أو قد "
             "بين ذلك كل و لم هو هي")
LANGUAGE(FA, "و در به از که این را با است برای آن یک های خود تا شده بر می هم نیز "
             "اما شود")

LEXICON(MORE, "more mehr weiterlesen lesen meer lees verder więcej czytaj "
              "подробнее далее читать más leer suite lire leggi tutto mais ler "
              "läs mer mere læs les read continue click here klick klik hier "
              "weiter next previous prev zurück vorige volgende suivant "
              "précédent siguiente anterior następna poprzednia перейти "
              "περισσότερα 更多 全文 下一页 上一页 详细 view show see all alle "
              "anzeigen")
LEXICON(UI, "login log anmelden inloggen register registrieren registreer signup "
            "sign subscribe abonnieren newsletter nieuwsbrief search suche zoeken "
            "buscar rechercher szukaj поиск menu home startseite kontakt contact "
            "about faq help hilfe sitemap navigation rss feed print drucken "
            "email share teilen delen tweet twitter facebook google pinterest "
            "linkedin instagram youtube whatsapp follow comment comments "
            "kommentar kommentare reacties reply antworten login logout account "
            "profile cart warenkorb add download skip toggle javascript enable "
            "browser advertisement anzeige reklama reklame advertentie реклама "
            "sponsored tags categories kategorien archive archives related "
            "popular trending latest recent top categorías catégories войти "
            "регистрация комментарии komentarze zaloguj regístrate inicio "
            "accueil κοινοποίηση σχόλια αρχική 首页 登录 注册 评论 分享 搜索")
LEXICON(LEGAL, "copyright reserved privacy datenschutz impressum terms agb "
               "cookie cookies disclaimer policy conditions rechte vorbehalten "
               "voorbehouden zastrzeżone prawa réservés droits mentions légales "
               "reservados derechos rights legal trademark gdpr rodo consent "
               "права защищены 版权所有 版权 备案 powered wordpress")
LEXICON(DATE, "january february march april may june july august september "
              "october november december jan feb mar apr jun jul aug sep sept "
              "oct nov dec januar februar märz mai juni juli oktober dezember "
              "januari februari maart mei augustus janvier février mars avril "
              "juin juillet août septembre octobre novembre décembre enero "
              "febrero marzo abril mayo junio julio agosto septiembre octubre "
              "noviembre diciembre stycznia lutego marca kwietnia maja czerwca "
              "lipca sierpnia września października listopada grudnia января "
              "февраля марта апреля мая июня июля августа сентября октября "
              "ноября декабря monday tuesday wednesday thursday friday saturday "
              "sunday montag dienstag mittwoch donnerstag freitag samstag "
              "sonntag am pm uhr edt est gmt ago hours days")
LEXICON(BYLINE, "by von author autor auteur posted published updated "
                "veröffentlicht aktualisiert geplaatst publié publicado "
                "opublikowano опубликовано written filed under source quelle "
                "bron źródło источник foto photo image bild credit getty reuters "
                "dpa afp ap reporter staff correspondent editor redaktion "
                "redactie rédaction πηγή 来源 作者 编辑 责任编辑 记者")
LEXICON(CURRENCY, "zł руб eur usd euro gbp chf kr pln dollar dollars €")
LEXICON(PRONOUN, "i me my mine you your yours ich mir mich du dein dich ik jij "
                 "jou mijn je tu moi toi mon yo mi ti ja mnie ty я мне ты вы "
                 "thanks thank danke bedankt merci gracias lol hi hello hallo")
LEXICON(COMMENT, "comment comments commented reply replies replied kommentar "
                 "kommentare kommentieren antworten reactie reacties reageer "
                 "komentarz komentarze komentarzy odpowiedz комментарий "
                 "комментарии комментариев комментировать ответить отзывы "
                 "commentaire commentaires répondre réagir commento commenti "
                 "rispondi comentario comentarios responder comentários "
                 "σχόλια σχόλιο kommentarer svara svar komentáře yorum yorumlar "
                 "discussion forum feedback disqus")
LEXICON(RELATED, "related similar recommended popular trending recent latest "
                 "headlines stories headline verwandte ähnliche beliebt "
                 "meistgelesen neueste weitere passend gerelateerd gerelateerde "
                 "meest gelezen podobne powiązane najnowsze polecamy zobacz "
                 "также похожие новости популярные материалы по теме "
                 "similaires aussi associés récents correlati recenti anche "
                 "relacionados relacionadas también últimas noticias leia "
                 "σχετικά διαβάστε relaterade senaste související další")
