using System.Text.RegularExpressions;
using CamCube.Tool.Checks;

namespace CamCube.Tool.Tests.Checks;

public sealed partial class ServiceCheckerTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-check-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Every_planted_breach_is_found_at_its_line_under_the_name_its_author_gave_and_nothing_else_is()
    {
        CheckResult result = ServiceChecker.Check(Repository.Built("CamCube.TestServices.Banned"));
        Breach[] inCode = [.. result.Breaches.Where(static breach => breach.File is not null)];
        string source = Assert.Single(inCode.Select(breach => breach.File!).Distinct());
        string[] lines = File.ReadAllLines(
            Path.Combine(
                Repository.Root,
                "tests",
                "TestAssemblies",
                "CamCube.TestServices.Banned",
                Path.GetFileName(source)
            )
        );
        string[] planted =
        [
            .. lines
                .Index()
                .Select(line => (line.Index, Match: Planted().Match(line.Item)))
                .Where(line => line.Match.Success)
                .Select(line => $"{line.Index + 1}: {line.Match.Groups[1].Value}"),
        ];
        const string Type = "CamCube.TestServices.Banned.Offender.";
        Assert.All(inCode, breach => Assert.StartsWith(Type, breach.Member, StringComparison.Ordinal));
        string[] found =
        [
            .. inCode
                .Select(breach =>
                    (breach.Line, Text: $"{breach.Line}: {breach.Member[Type.Length..]} {breach.Use} {breach.Banned}")
                )
                .Distinct()
                .OrderBy(breach => breach.Line)
                .Select(breach => breach.Text),
        ];

        Assert.True(planted.Length >= 23, $"{planted.Length} planted");
        Assert.Equal(planted, found);
        Assert.Null(result.WhyNoLines);
        Assert.Equal(
            ["CC0001", "CC0002", "CC0007", "CC0008"],
            inCode.Select(static breach => breach.Rule).Distinct().Order()
        );
        Assert.Equal(4, inCode.Count(static breach => breach.Rule == "CC0001"));
    }

    [Fact]
    public void What_declarations_say_is_found_under_their_names_and_right_ones_are_left_alone()
    {
        CheckResult result = ServiceChecker.Check(Repository.Built("CamCube.TestServices.Banned"));
        const string Space = "CamCube.TestServices.Banned.";
        const string OfAll =
            "make it a field of the service: all servers of a process share it, as in every simulated cube";
        Assert.Equal(
            [
                $"CC0005 Long has header {Space}Long.Large: make it smaller: it has 72 bytes, and 64 fit",
                $"CC0005 Shared has header {Space}Right: use a struct of numbers: packets carry bytes",
                $"CC0005 Words has header {Space}Words.Text: leave references out of it: packets carry bytes",
                "CC0006 Low has id 0x0012: it belongs to the runtime; use one of 0x0200 to 0xffff",
                "CC0006 Twice has id 0x7201: it is another service's here, too; use one of 0x0200 to 0xffff",
                "CC0006 Twice has name 'Twice': use one of its own of lower-case letters, digits and hyphens, which "
                    + "begins with a letter",
                $"CC0009 Shared.Last has static state: {OfAll}",
                $"CC0009 Shared._count has static state: {OfAll}",
            ],
            result
                .Breaches.Where(static breach => breach.File is null)
                .Select(static b => $"{b.Rule} {b.Member[Space.Length..]} {b.Use} {b.Banned}: {b.Advice}")
                .Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public void The_advice_is_the_lists()
    {
        Breach breach = ServiceChecker
            .Check(Repository.Built("CamCube.TestServices.Banned"))
            .Breaches.First(b => b.Banned.EndsWith("NewGuid", StringComparison.Ordinal));
        Assert.Equal("M:System.Guid.NewGuid", breach.Entry);
        Assert.Contains(
            $"{breach.Entry};{breach.Advice}",
            File.ReadAllText(Path.Combine(Repository.Root, "BannedSymbols.txt")),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("CamCube.Services.Cache")]
    [InlineData("CamCube.Services.Cache.Memcached")]
    [InlineData("CamCube.Services.Diagnostics")]
    [InlineData("CamCube.Services.Workloads")]
    [InlineData("CamCube.Services.Cache", "CamCube.Services.Cache.Contracts")]
    [InlineData("CamCube.Abstractions")]
    [InlineData("CamCube.Topology")]
    [InlineData("CamCube.Messaging")]
    [InlineData("CamCube.Calls")]
    public void Our_own_services_and_what_they_stand_on_are_clean(string project, string? assembly = null)
    {
        CheckResult result = ServiceChecker.Check(Repository.Built(project, assembly));
        Assert.Empty(result.Breaches);
        Assert.True(result.Methods > 3, $"{result.Methods} methods");
    }

    [Fact]
    public void Without_debug_information_member_and_offset_are_left_and_the_reason_is_said()
    {
        string alone = Path.Combine(_folder, "CamCube.TestServices.Banned.dll");
        File.Copy(Repository.Built("CamCube.TestServices.Banned"), alone);
        CheckResult result = ServiceChecker.Check(alone);
        Assert.Contains("no CamCube.TestServices.Banned.pdb", result.WhyNoLines, StringComparison.Ordinal);
        Assert.True(result.Breaches.Count >= 16);
        Assert.All(result.Breaches, breach => Assert.Equal((null, null), (breach.File, breach.Line)));
        Assert.Contains(result.Breaches, breach => breach.IlOffset > 0);

        File.Copy(
            Path.ChangeExtension(typeof(ServiceChecker).Assembly.Location, ".pdb"),
            Path.ChangeExtension(alone, ".pdb")
        );
        Assert.Contains("of another build", ServiceChecker.Check(alone).WhyNoLines, StringComparison.Ordinal);

        File.WriteAllText(Path.ChangeExtension(alone, ".pdb"), "nonsense");
        Assert.NotNull(ServiceChecker.Check(alone).WhyNoLines);
    }

    [Fact]
    public void A_list_of_ones_own_counts()
    {
        BannedList list = BannedList.Parse("M:CamCube.IServer.get_NowNanos;no time\nF:System.String.Empty\n");
        Assert.Equal(2, list.Count);
        Breach breach = Assert.Single(
            ServiceChecker.Check(Repository.Built("CamCube.TestServices.Banned"), list).Breaches,
            static breach => breach.Rule == "CC0002"
        );
        Assert.EndsWith("Offender.get_Age", breach.Member, StringComparison.Ordinal);
        Assert.Equal("no time", breach.Advice);
        Assert.Throws<FormatException>(() => BannedList.Parse("System.DateTime"));
        Assert.Throws<FormatException>(() => BannedList.Parse("N:System"));
    }

    [Fact]
    public void What_is_no_assembly_is_said_in_one_line()
    {
        Refused(Path.Combine(_folder, "absent.dll"), "there is no file");
        Refused(_folder, "is a folder");
        Refused(Write("empty.dll", []), "no .NET assembly");
        Refused(Write("text.dll", "MZ and so on"u8.ToArray()), "no .NET assembly");

        // Every prefix and some damage: never another exception.
        byte[] whole = File.ReadAllBytes(Repository.Built("CamCube.TestServices.Banned"));
        var random = new Random(3);
        for (int i = 0; i < 300; i++)
        {
            byte[] bytes = whole[..(i % 3 == 0 ? random.Next(whole.Length) : whole.Length)];
            for (int n = 0; n < i % 20 && bytes.Length > 0; n++)
            {
                bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            }

            try
            {
                ServiceChecker.Check(Write("damaged.dll", bytes));
            }
            catch (BadAssemblyException e)
            {
                Assert.DoesNotContain('\n', e.Message);
            }
        }

        void Refused(string file, string says) =>
            Assert.Contains(
                says,
                Assert.Throws<BadAssemblyException>(() => ServiceChecker.Check(file)).Message,
                StringComparison.Ordinal
            );

        string Write(string name, byte[] bytes)
        {
            string file = Path.Combine(_folder, name);
            File.WriteAllBytes(file, bytes);
            return file;
        }
    }

    [GeneratedRegex("// breach: (.+)$")]
    private static partial Regex Planted();
}
