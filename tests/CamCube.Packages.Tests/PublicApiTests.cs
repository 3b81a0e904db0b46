using System.Reflection;
using System.Text.RegularExpressions;
using PublicApiGenerator;

namespace CamCube.Packages.Tests;

/// <summary>
/// What others program against, package by package, stands in PublicApi.txt beside the project: a change of it is seen
/// in the change that makes it. With CAMCUBE_WRITE_PUBLIC_API=1 the files are written.
/// </summary>
public sealed partial class PublicApiTests
{
    private static readonly string Root = FindRoot();

    public static TheoryData<string> Packages =>
        [
            .. ((string[])["src", "Services", "Simulator", "tests", "tools"])
                .SelectMany(room => Directory.GetDirectories(Path.Combine(Root, room)))
                .Where(folder =>
                    File.Exists(ProjectIn(folder))
                    && File.ReadAllText(ProjectIn(folder)) is var project
                    && IsPackage().IsMatch(project)
                    && !project.Contains("<PackAsTool>", StringComparison.Ordinal)
                )
                .Select(folder => Path.GetRelativePath(Root, folder).Replace('\\', '/'))
                .Order(StringComparer.Ordinal),
        ];

    [Theory]
    [MemberData(nameof(Packages))]
    public async Task What_a_package_offers_is_written_down(string folder)
    {
        string name = folder[(folder.IndexOf('/') + 1)..],
            file = Path.Combine(Root, folder, "PublicApi.txt");
        string offered = Assembly.Load(name).GeneratePublicApi(Options).ReplaceLineEndings("\n");
        if (Environment.GetEnvironmentVariable("CAMCUBE_WRITE_PUBLIC_API") == "1")
        {
            await File.WriteAllTextAsync(file, offered, TestContext.Current.CancellationToken);
        }

        Assert.True(File.Exists(file), $"{file} is missing: run this test with CAMCUBE_WRITE_PUBLIC_API=1.");
        string written = await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken);
        Assert.True(written == offered, $"{file} says something else: {FirstDifference(written, offered)}");
    }

    [Fact]
    public void All_packages_are_looked_at() => Assert.InRange(Packages.Count, 22, 100);

    // What compilers write for themselves, and versions, are no promise.
    private static ApiGeneratorOptions Options =>
        new()
        {
            IncludeAssemblyAttributes = false,
            ExcludeAttributes =
            [
                "System.Runtime.CompilerServices.CompilerGeneratedAttribute",
                "System.Runtime.CompilerServices.IsReadOnlyAttribute",
                "System.Runtime.CompilerServices.AsyncMethodBuilderAttribute",
                "System.Diagnostics.DebuggerNonUserCodeAttribute",
            ],
        };

    private static string FirstDifference(string written, string offered)
    {
        string[] before = written.Split('\n'),
            now = offered.Split('\n');
        int at = before.Zip(now).TakeWhile(both => both.First == both.Second).Count();
        (string? was, string? isNow) = (before.ElementAtOrDefault(at), now.ElementAtOrDefault(at));
        return $"line {at + 1} was '{was?.Trim()}', is '{isNow?.Trim()}'";
    }

    private static string ProjectIn(string folder) => Path.Combine(folder, Path.GetFileName(folder) + ".csproj");

    private static string FindRoot()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "CamCube.sln")))
        {
            folder = folder.Parent;
        }

        return folder?.FullName ?? throw new DirectoryNotFoundException("These tests run inside the checkout.");
    }

    [GeneratedRegex("<IsPackable>true</IsPackable>")]
    private static partial Regex IsPackage();
}
