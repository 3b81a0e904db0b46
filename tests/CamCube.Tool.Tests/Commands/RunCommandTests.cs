namespace CamCube.Tool.Tests.Commands;

/// <summary>What <c>camcube run</c> says of services that are none; that it runs those that are is tested with the
/// packages (tests/packages).</summary>
public sealed class RunCommandTests
{
    [Theory]
    [InlineData("nowhere", "'{0}' is no project, folder or assembly: there is no ")]
    [InlineData("empty/", "the folder {0} has neither a project nor an assembly.")]
    [InlineData("two/", "{0} has 2 projects; name one of them.")]
    [InlineData("text.dll", "{0} is no .NET assembly.")]
    [InlineData("broken/broken.csproj", "{0} cannot be read: ")]
    [InlineData("several/", "the folder {0} has 2 assemblies; name one of them.")]
    public async Task What_is_no_service_is_named(string place, string expected)
    {
        string folder = Directory.CreateTempSubdirectory("camcube-run-").FullName,
            named = Path.Combine(folder, place);
        try
        {
            foreach (string made in (string[])["empty", "two", "broken", "several"])
            {
                Directory.CreateDirectory(Path.Combine(folder, made));
            }

            string[] files = ["two/a.csproj", "two/b.csproj", "text.dll", "several/a.dll", "several/b.dll"];
            foreach (string file in files.Append("broken/broken.csproj"))
            {
                await File.WriteAllTextAsync(
                    Path.Combine(folder, file),
                    "no text of this kind",
                    TestContext.Current.CancellationToken
                );
            }

            CommandRun run = await CommandRun.OfAsync("run", named);
            Assert.Equal(2, run.ExitCode);
            Assert.Contains(
                expected.Replace("{0}", named, StringComparison.Ordinal),
                run.OnlyErrorLine(),
                StringComparison.Ordinal
            );
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task An_assembly_without_a_service_is_named()
    {
        CommandRun run = await CommandRun.OfAsync("run", typeof(Coordinate).Assembly.Location);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("has no class with [CamCubeService(id, \"name\")].", run.OnlyErrorLine());
    }
}
