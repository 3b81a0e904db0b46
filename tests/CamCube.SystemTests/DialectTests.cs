using System.Text.RegularExpressions;

namespace CamCube.SystemTests;

/// <summary>What of the one dialect neither the formatter nor the compiler holds: lengths of lines in comments and
/// texts, lengths of files, and the visibility of members.</summary>
public sealed partial class DialectTests
{
    private const int MostColumns = 120;
    private const int MostLines = 500;

    [Fact]
    public void No_line_is_longer_than_120_columns_and_no_file_than_500_lines()
    {
        string[] breaches = [.. Sources().SelectMany(file => TooLong(file.Path, file.Text))];
        Assert.True(breaches.Length == 0, string.Join(Environment.NewLine, breaches));
    }

    [Fact]
    public void Members_of_internal_types_are_public_or_private_for_the_type_says_who_sees_them()
    {
        string[] breaches = [.. Sources().SelectMany(file => Internals(file.Path, file.Text))];
        Assert.True(breaches.Length == 0, string.Join(Environment.NewLine, breaches));
    }

    [Fact]
    public void Planted_breaches_are_reported()
    {
        Assert.Equal(["A.cs:2: 121 columns"], TooLong("A.cs", $"{new string('ä', 120)}\n{new string('a', 121)}\n"));
        Assert.Equal(["A.cs: 501 lines"], TooLong("A.cs", string.Concat(Enumerable.Repeat("a\n", 501))));
        Assert.Equal(["A.cs:3"], Internals("A.cs", "internal sealed class A\n{\n    internal int B;\n}\n"));
        Assert.Empty(Internals("A.cs", "public sealed class A\n{\n    internal int B;\n}\n"));
    }

    private static IEnumerable<string> TooLong(string path, string text)
    {
        string[] lines = text.TrimEnd('\n').Split('\n');
        foreach ((int number, string line) in lines.Index())
        {
            if (line.Length > MostColumns)
            {
                yield return $"{path}:{number + 1}: {line.Length} columns";
            }
        }

        if (lines.Length > MostLines)
        {
            yield return $"{path}: {lines.Length} lines";
        }
    }

    private static IEnumerable<string> Internals(string path, string text)
    {
        MatchCollection types = TopLevelType().Matches(text);
        return types.Count == 0 || types.Any(type => type.Groups[1].Value == "public")
            ? []
            : InternalMember().Matches(text).Select(member => $"{path}:{text.AsSpan(0, member.Index).Count('\n') + 1}");
    }

    private static IEnumerable<(string Path, string Text)> Sources()
    {
        string root = ArchitectureTests.RepositoryRoot();
        string[] rooms = ["src", "Services", "Shim", "Simulator", "tools", "tests", "benchmarks", "docs"];
        return rooms
            .SelectMany(room => Directory.EnumerateFiles(Path.Combine(root, room), "*.cs", SearchOption.AllDirectories))
            .Select(path => Path.GetRelativePath(root, path).Replace('\\', '/'))
            .Where(path => !path.Contains("/obj/", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal)
            .Select(path => (path, File.ReadAllText(Path.Combine(root, path))));
    }

    [GeneratedRegex(
        @"^(internal|public|file)\b[^\n]*\b(?:class|struct|record|interface|enum)\b",
        RegexOptions.Multiline
    )]
    private static partial Regex TopLevelType();

    [GeneratedRegex(@"^ {4,}internal (?=[\w<(])", RegexOptions.Multiline)]
    private static partial Regex InternalMember();
}
