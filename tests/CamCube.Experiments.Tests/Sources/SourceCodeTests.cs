using CamCube.Experiments.Sources;

namespace CamCube.Experiments.Tests.Sources;

public sealed class SourceCodeTests
{
    [Theory]
    [InlineData("", 0, 0)]
    [InlineData("int a;\n", 1, 1)]
    [InlineData("int a; int b;", 1, 2)]
    [InlineData("for (;;)\n{\n}\n", 3, 2)]
    [InlineData("// a; b;\n\n/* c;\n d; */\n   /// <e>;\n", 0, 0)]
    [InlineData("int a; // b;\n", 1, 1)]
    [InlineData("int /* ; */ a;\n", 1, 1)]
    [InlineData("var a = \"b;\\\";\";\n", 1, 1)]
    [InlineData("var a = @\"b;\\\";\nvar c = ';';\n", 2, 2)]
    [InlineData("var a = @\"b;\"\";\";\n", 1, 1)]
    [InlineData("var a = $\"{b};\" + '\\'' + \"//\";\n", 1, 1)]
    [InlineData("var a = \"\"\"\n    b; \"c\";\n    \"\"\";\nd();\n", 4, 2)]
    [InlineData("var a = \"\" + \"\";\n", 1, 1)]
    public void Semicolons_and_lines_are_those_of_code(string text, int lines, int semicolons) =>
        Assert.Equal(new SourceCode(1, lines, semicolons), SourceCode.Of(text));
}
