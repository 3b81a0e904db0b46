using System.Collections;
using CamCube.Hosting.Settings;
using CamCube.Hosting.Tests.Kit;
using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting.Tests.Settings;

public sealed class SettingsSourcesTests
{
    [Fact]
    public void The_command_line_wins_over_the_environment_and_that_over_the_files()
    {
        using TestFolder folder = new(
            """
            {
              // Comments and trailing commas are fine.
              "CamCube": { "Shape": "1x1x1", "Shim": "A", "Seed": 1, "HopLimit": 1, },
            }
            """
        );
        string extra = Path.Combine(folder.Path, "extra.json");
        File.WriteAllText(extra, """{ "CamCube": { "Shim": "B", "Seed": 2, "HopLimit": 2 } }""");
        Hashtable environment = new()
        {
            ["CamCube__Seed"] = "3",
            ["camcube__hoplimit"] = "3",
            ["CAMCUBE_HOME"] = "/",
            ["Other__Shape"] = "x",
        };

        IConfiguration? read = Read(folder, environment, out Mistakes mistakes, "--settings", extra, "--hop-limit=4");

        Assert.Empty(mistakes.Lines);
        Assert.Equal("1x1x1", read!["CamCube:Shape"]);
        Assert.Equal("B", read["CamCube:Shim"]);
        Assert.Equal("3", read["CamCube:Seed"]);
        Assert.Equal("4", read["CamCube:HopLimit"]);
        Assert.Null(read["Other:Shape"]);
    }

    [Fact]
    public void Without_a_file_there_are_defaults()
    {
        using TestFolder folder = new();

        Assert.NotNull(Read(folder, new Hashtable(), out Mistakes mistakes));
        Assert.Empty(mistakes.Lines);
    }

    [Theory]
    [InlineData("{\n  \"CamCube\": {\n    \"Shape\" \"3x3x3\"\n  }\n}", ", line 3: not valid JSON: ")]
    [InlineData("{\n  \"CamCube\": {", ", line 2: not valid JSON: ")]
    [InlineData("", ", line 1: not valid JSON: ")]
    [InlineData("[1]", ": Top-level JSON element must be an object")]
    [InlineData("{ \"CamCube\": { \"Seed\": 1, \"seed\": 2 } }", ": A duplicate key 'CamCube:seed' was found.")]
    [InlineData("{ \"CamCub\": { \"Seed\": 1 } }", ": CamCub is not a section of settings; did you mean CamCube?")]
    public void A_malformed_file_is_named_with_what_is_wrong(string content, string message)
    {
        using TestFolder folder = new(content);

        Assert.Null(Read(folder, new Hashtable(), out Mistakes mistakes));
        Assert.StartsWith(folder.SettingsFile + message, Assert.Single(mistakes.Lines), StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_cannot_be_read_is_named()
    {
        using TestFolder folder = new();
        Directory.CreateDirectory(folder.SettingsFile);
        string missing = Path.Combine(folder.Path, "missing.json");

        Assert.Null(Read(folder, new Hashtable(), out Mistakes mistakes, "--settings", missing));
        Assert.Collection(
            mistakes.Lines,
            line => Assert.StartsWith($"{folder.SettingsFile}: cannot be read: ", line, StringComparison.Ordinal),
            line => Assert.StartsWith($"{missing}: cannot be read: ", line, StringComparison.Ordinal)
        );
    }

    private static IConfigurationRoot? Read(
        TestFolder folder,
        IDictionary environment,
        out Mistakes mistakes,
        params string[] arguments
    )
    {
        mistakes = new Mistakes();
        return SettingsSources.Read(
            folder.Path,
            new HostSetup().SettingsLimit,
            environment,
            CommandLine.Parse(arguments, mistakes),
            mistakes
        );
    }
}
