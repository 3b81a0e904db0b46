using CamCube.Analyzers.Tests.Kit;
using CamCube.Hosting.Tests.Kit;
using CamCube.Tool.Checks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace CamCube.Analyzers.Tests;

/// <summary>Nothing is said of the services that come with CamCube, nor of the samples: either is right.</summary>
public sealed class BundledTests
{
    private const string Usings = """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Net.Http;
        global using System.Threading;
        global using System.Threading.Tasks;
        """;

    public static TheoryData<string> Projects { get; } =
    [
        .. new[] { "Services", "docs/samples" }
            .SelectMany(static room => Directory.GetDirectories(Path.Combine(Repository.Root, room)))
            .Where(static folder => Directory.GetFiles(folder, "*.csproj").Length == 1)
            .Select(static folder => Path.GetRelativePath(Repository.Root, folder).Replace('\\', '/'))
            .Order(StringComparer.Ordinal),
    ];

    [Theory]
    [MemberData(nameof(Projects))]
    public void Nothing_is_said_of_what_comes_with_it(string folder)
    {
        IReadOnlyList<Diagnostic> said = Analyse(folder);
        Assert.True(said.Count == 0, string.Join('\n', said));
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void Nothing_is_said_of_packets_and_threads_in_what_was_compiled(string folder)
    {
        string name = Path.GetFileName(folder),
            configuration = Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory)),
            file = Path.Combine(Repository.Root, "artifacts/bin", name, configuration, $"{name}.dll");
        Assert.SkipUnless(File.Exists(file), $"{name} was not built");
        Breach[] said =
        [
            .. ServiceChecker.Check(file).Breaches.Where(static b => b.Rule is "CC0003" or "CC0004" or "CC0010"),
        ];
        Assert.True(said.Length == 0, string.Join('\n', said.AsEnumerable()));
    }

    [Theory]
    [InlineData("Services/CamCube.Services.KeyValue", "CamCube.Services.KeyValue.Members.MemberHost")]
    [InlineData("Services/CamCube.Services.Cache", "CamCube.Services.Cache.CacheService")]
    public void A_mistake_that_is_planted_in_one_is_found(string folder, string type)
    {
        int dot = type.LastIndexOf('.');
        string planted =
            $"namespace {type[..dot]}; [CamCube.CamCubeService(0x0101, \"planted\")] internal sealed class Planted "
            + $"({type[(dot + 1)..]} other) : CamCube.CamCubeService {{ public override void OnStart() {{ "
            + "System.GC.KeepAlive(other); System.Threading.Thread.Sleep(1); } }";
        Assert.Equal(["CC0001"], Analyse(folder, planted).Select(static d => d.Id));
    }

    private static IReadOnlyList<Diagnostic> Analyse(string folder, params string[] more)
    {
        string root = Path.Combine(Repository.Root, folder),
            configuration = Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory)),
            host = Path.Combine(Repository.Root, "artifacts/bin/CamCube.Host", configuration);
        SyntaxTree[] trees =
        [
            .. more.Append(Usings).Select(static text => CSharpSyntaxTree.ParseText(text, Analysis.Options)),
            .. Directory
                .GetFiles(root, "*.cs", SearchOption.AllDirectories)
                .Order(StringComparer.Ordinal)
                .Select(static file => CSharpSyntaxTree.ParseText(File.ReadAllText(file), Analysis.Options, file)),
        ];
        var known = new HashSet<string>(StringComparer.Ordinal);
        MetadataReference[] references =
        [
            .. Analysis.Platform,
            .. Directory
                .GetFiles(host, "*.dll", SearchOption.AllDirectories)
                .Where(file => Path.GetFileNameWithoutExtension(file) != Path.GetFileName(root))
                .Where(file => known.Add(Path.GetFileName(file)))
                .Where(IsManaged)
                .Select(static file => MetadataReference.CreateFromFile(file)),
        ];
        return Analysis.Of(Path.GetFileName(root), trees, references, mustCompile: false);
    }

    private static bool IsManaged(string file)
    {
        using FileStream stream = File.OpenRead(file);
        using var image = new System.Reflection.PortableExecutable.PEReader(stream);
        return image.HasMetadata;
    }
}
