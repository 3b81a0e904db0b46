using System.Text.RegularExpressions;

namespace CamCube.SystemTests;

/// <summary>What the documents promise: code that compiles, links that lead somewhere, commands that CI runs.</summary>
public sealed partial class DocumentationTests
{
    private static readonly string Readme = File.ReadAllText(Path.Combine(BuiltPrograms.Root, "README.md"));

    [Fact]
    public void The_service_in_the_README_is_the_compiled_sample()
    {
        string sample = File.ReadAllText(
            Path.Combine(BuiltPrograms.Root, "docs", "samples", "HopCounter", "HopCounter.cs")
        );
        Assert.Contains(sample.Trim(), Readme, StringComparison.Ordinal);
        Assert.True(sample.Split('\n').Length < 50, "A useful service is shorter than 50 lines.");
    }

    [Fact]
    public void The_service_in_the_document_of_extended_routing_is_the_compiled_sample()
    {
        string sample = File.ReadAllText(
            Path.Combine(BuiltPrograms.Root, "docs", "samples", "NearestCopy", "NearestCopy.cs")
        );
        string document = File.ReadAllText(Path.Combine(BuiltPrograms.Root, "docs", "extended-routing.md"));
        Assert.Contains(
            sample[sample.IndexOf("namespace", StringComparison.Ordinal)..].Trim(),
            document,
            StringComparison.Ordinal
        );
        Assert.True(sample.Split('\n').Length < 50, "A useful service is shorter than 50 lines.");
    }

    [Theory]
    [InlineData("Hello.cs")]
    [InlineData("HelloHeader.cs")]
    public void The_service_in_the_document_of_services_is_the_compiled_sample(string file)
    {
        string sample = File.ReadAllText(Path.Combine(BuiltPrograms.Root, "docs", "samples", "Hello", file));
        string document = File.ReadAllText(Path.Combine(BuiltPrograms.Root, "docs", "services.md"));
        Assert.Contains(
            sample[sample.IndexOf("namespace", StringComparison.Ordinal)..].Trim(),
            document,
            StringComparison.Ordinal
        );
        Assert.True(sample.Split('\n').Length < 50, "A useful service is shorter than 50 lines.");
    }

    [Theory]
    [InlineData("Notes", "NotesService.cs", 80)]
    [InlineData("Notes", "NotesFrontEnd.cs", 80)]
    [InlineData("Echo", "EchoProtocol.cs", 120)]
    [InlineData("Echo", "EchoFrontEnd.cs", 120)]
    public void The_samples_in_the_document_of_front_ends_are_compiled(string name, string file, int most)
    {
        string folder = Path.Combine(BuiltPrograms.Root, "docs", "samples", name);
        string sample = File.ReadAllText(Path.Combine(folder, file));
        string document = File.ReadAllText(Path.Combine(BuiltPrograms.Root, "docs", "front-ends.md"));
        Assert.Contains(
            sample[sample.IndexOf("namespace", StringComparison.Ordinal)..].Trim(),
            document,
            StringComparison.Ordinal
        );
        Assert.InRange(Directory.GetFiles(folder, "*.cs").Sum(path => File.ReadLines(path).Count()), 40, most);
    }

    [Theory]
    [InlineData("TallyService.cs")]
    [InlineData("TallySwarm.cs")]
    public void The_example_in_the_document_of_testing_is_the_compiled_sample(string file)
    {
        string sample = File.ReadAllText(Path.Combine(BuiltPrograms.Root, "docs", "samples", "Tally", file));
        string document = File.ReadAllText(Path.Combine(BuiltPrograms.Root, "docs", "testing.md"));
        Assert.Contains(
            sample[sample.IndexOf("namespace", StringComparison.Ordinal)..].Trim(),
            document,
            StringComparison.Ordinal
        );
        Assert.True(sample.Split('\n').Length < 60, "A test of a service is shorter than 60 lines.");
    }

    [Fact]
    public void The_service_in_the_document_of_the_messenger_is_the_compiled_sample()
    {
        string sample = File.ReadAllText(
            Path.Combine(BuiltPrograms.Root, "docs", "samples", "PingPong", "PingPong.cs")
        );
        string document = File.ReadAllText(Path.Combine(BuiltPrograms.Root, "docs", "messenger.md"));
        Assert.Contains(sample.Trim(), document, StringComparison.Ordinal);
        Assert.True(sample.Split('\n').Length < 90, "A useful service is shorter than 90 lines.");
    }

    [Fact]
    public void The_provider_in_the_document_of_links_is_the_compiled_sample()
    {
        string sample = File.ReadAllText(
            Path.Combine(BuiltPrograms.Root, "docs", "samples", "SocketCables", "SocketCableProvider.cs")
        );
        string document = File.ReadAllText(Path.Combine(BuiltPrograms.Root, "docs", "links.md"));
        Assert.Contains(
            sample[sample.IndexOf("namespace", StringComparison.Ordinal)..].Trim(),
            document,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void The_application_in_the_README_of_the_cache_client_is_the_compiled_sample()
    {
        string sample = File.ReadAllText(
            Path.Combine(BuiltPrograms.Root, "docs", "samples", "CachedQuotes", "Program.cs")
        );
        string document = File.ReadAllText(
            Path.Combine(BuiltPrograms.Root, "src", "CamCube.Client.Cache", "README.md")
        );
        Assert.Contains(sample.Trim(), document, StringComparison.Ordinal);
        Assert.True(sample.Split('\n').Length < 15, "A cache is set up in a line and used in two.");
    }

    [Fact]
    public void Links_in_documents_lead_somewhere()
    {
        var missing = new List<string>();
        string[] documents =
        [
            .. Directory.GetFiles(BuiltPrograms.Root, "*.md"),
            .. ArchitectureRules
                .Rooms.Append("docs")
                .SelectMany(room =>
                    Directory.GetFiles(Path.Combine(BuiltPrograms.Root, room), "*.md", SearchOption.AllDirectories)
                ),
        ];
        foreach (string document in documents)
        {
            foreach (Match match in LocalLink().Matches(File.ReadAllText(document)))
            {
                string target = Path.Combine(Path.GetDirectoryName(document)!, match.Groups[1].Value);
                if (!File.Exists(target) && !Directory.Exists(target))
                {
                    missing.Add($"{Path.GetFileName(document)}: {match.Groups[1].Value}");
                }
            }
        }

        Assert.Empty(missing);
    }

    [Fact]
    public void Every_page_is_in_the_index()
    {
        string docs = Path.Combine(BuiltPrograms.Root, "docs");
        string index = File.ReadAllText(Path.Combine(docs, "index.md"));
        string[] pages = [.. Directory.GetFiles(docs, "*.md").Select(path => Path.GetFileName(path))];
        Assert.All(pages.Except(["index.md"]), page => Assert.Contains($"]({page})", index, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("README.md", 0)]
    [InlineData("docs/start.md", 4)]
    public void Every_camcube_command_of_the_first_pages_is_run_by_CI(string page, int least)
    {
        string text = File.ReadAllText(Path.Combine(BuiltPrograms.Root, page));
        string script = string.Concat(
            new[] { "end-to-end", "swarm" }.Select(name =>
                File.ReadAllText(Path.Combine(BuiltPrograms.Root, ".ci", name))
            )
        );
        MatchCollection commands = ToolCommand().Matches(text);
        Assert.True(commands.Count >= least);
        foreach (Match command in commands)
        {
            string words = string.Join(
                ' ',
                command.Groups[1].Value.Split(' ').TakeWhile(w => char.IsAsciiLetter(w[0]))
            );
            Assert.Contains($"camcube {words}", script, StringComparison.Ordinal);
        }
    }

    [GeneratedRegex(@"\]\(((?!https?:|#)[^)#]+)")]
    private static partial Regex LocalLink();

    [GeneratedRegex(@"^dotnet run [^\n]*--project tools/camcube -- ([^\n]+)$", RegexOptions.Multiline)]
    private static partial Regex ToolCommand();
}
