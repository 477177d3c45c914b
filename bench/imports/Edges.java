import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

/** Prints, of all Java files below a folder, which names a type that another declares: "from TAB to", as javac attributes them. */
public class Edges {
  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]).toRealPath();
    List<File> files;
    try (Stream<Path> s = Files.walk(root)) {
      files = s.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java") && Files.isRegularFile(p)).map(Path::toFile).sorted().collect(Collectors.toList());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
    JavacTask task = (JavacTask) compiler.getTask(new PrintWriter(Writer.nullWriter()), manager, d -> {},
        List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-XDshould-stop.ifNoError=FLOW", "-Xmaxerrs", "1"), null, manager.getJavaFileObjectsFromFiles(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    Trees trees = Trees.instance(task);
    Set<String> edges = new TreeSet<>();
    for (CompilationUnitTree unit : units) {
      String from = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
      new TreePathScanner<Void, Void>() {
        void see(Element e) {
          while (e != null && !(e instanceof TypeElement)) {
            return;
          }
          while (e != null && e.getEnclosingElement() != null && e.getEnclosingElement().getKind() != ElementKind.PACKAGE) {
            e = e.getEnclosingElement();
          }
          TreePath p = e == null ? null : trees.getPath(e);
          if (p != null) {
            String to = root.relativize(Path.of(p.getCompilationUnit().getSourceFile().toUri())).toString();
            if (!to.equals(from)) edges.add(from + "\t" + to);
          }
        }
        @Override public Void visitIdentifier(IdentifierTree t, Void v) { see(trees.getElement(getCurrentPath())); return super.visitIdentifier(t, v); }
        @Override public Void visitMemberSelect(MemberSelectTree t, Void v) { see(trees.getElement(getCurrentPath())); return super.visitMemberSelect(t, v); }
      }.scan(unit, null);
    }
    edges.forEach(System.out::println);
  }
}
