import java.io.File;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.XsltExecutable;
import org.mustangproject.validator.ZUGFeRDValidator;

/**
 * Validates the files of a folder. Mustang validates PDFs as Factur-X, and has veraPDF validate them as PDF/A. XML is validated by the official
 * artefacts of EN 16931. Prints a line for each finding (file, validator and message, with tabs between them), then the number of files.
 */
public class Papers {
  private static final String RULES = "external/schematron/1.3.16/cii/EN16931-CII-validation.xslt";
  private static final Pattern ERROR = Pattern.compile("<(?:error|exception)[^>]*>(.*?)</", Pattern.DOTALL);
  private static final Pattern SUMMARY = Pattern.compile("<summary status=\"(\\w+)\"/>");
  private static final Pattern FAILED =
      Pattern.compile("<svrl:failed-assert.*?<svrl:text>(.*?)</svrl:text>", Pattern.DOTALL);

  public static void main(String[] arguments) throws Exception {
    Processor processor = new Processor(false);
    ClassLoader jars = Papers.class.getClassLoader();
    XsltExecutable rules = processor.newXsltCompiler().compile(new StreamSource(jars.getResourceAsStream(RULES)));
    File[] files = new File(arguments[0]).listFiles();
    Arrays.sort(files);
    for (File file : files) {
      if (file.getName().endsWith(".pdf")) {
        printPdf(file);
        continue;
      }
      StringWriter report = new StringWriter();
      rules.load30().transform(new StreamSource(file), processor.newSerializer(report));
      print(file, "EN 16931", FAILED.matcher(report.toString()));
    }
    System.out.println(files.length + " files");
  }

  /** Mustang judges a PDF three times: the PDF, its XML, and both together. */
  private static void printPdf(File file) {
    ZUGFeRDValidator mustang = new ZUGFeRDValidator();
    mustang.disableNotices();
    String report = mustang.validate(file.getPath());
    print(file, "Mustang", ERROR.matcher(report));
    long valid = SUMMARY.matcher(report).results().filter(found -> found.group(1).equals("valid")).count();
    if (valid != 3) System.out.println(file.getName() + "\tMustang\tvalid " + valid + " times of 3");
  }

  private static void print(File file, String validator, Matcher found) {
    while (found.find()) {
      System.out.println(file.getName() + "\t" + validator + "\t" + found.group(1).replaceAll("\\s+", " ").trim());
    }
  }
}
