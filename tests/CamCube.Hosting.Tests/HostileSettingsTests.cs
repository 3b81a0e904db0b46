using System.Collections;
using System.Diagnostics;
using System.Globalization;
using CamCube.Hosting.Settings;
using CamCube.Hosting.Tests.Kit;
using CamCube.ValueTexts;

namespace CamCube.Hosting.Tests;

/// <summary>Settings of every size and kind, and nowhere to complain: a line or a few, exit code 2, soon.</summary>
public sealed class HostileSettingsTests
{
    [Theory]
    [InlineData("--hop-limit=x")]
    [InlineData("--settings=/nowhere/at/all.json")]
    [InlineData("--Faults=los probability=0.1")]
    public async Task A_mistake_is_exit_code_2_though_nobody_can_be_told(string argument) =>
        Assert.Equal(2, await RunAsync(new FullWriter(), new FullWriter(), argument));

    [Theory]
    [InlineData("--help")]
    [InlineData("--version")]
    public async Task What_was_asked_for_and_cannot_be_written_is_one_line(string argument)
    {
        LineWriter errors = new();
        Assert.Equal(2, await RunAsync(new FullWriter(), errors, argument));
        Assert.Equal("standard output cannot be written: No space left on device", Assert.Single(errors.Lines));
    }

    [Fact]
    public async Task A_host_that_cannot_say_that_it_is_ready_serves()
    {
        using TestFolder folder = new();
        LineWriter errors = new();
        using CancellationTokenSource stop = new();
        int port = FreePorts.Take(2);
        Task<int> host = RunAsync(
            new FullWriter(),
            errors,
            folder.Path,
            stop.Token,
            "--shape=2x1x1",
            $"--Http:Port={port}"
        );
        Assert.Equal(
            "standard output cannot be written: No space left on device",
            await errors.LineAsync("standard output").SoonAsync()
        );
        using HttpClient http = new() { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        Assert.Contains("live", await http.GetStringAsync("/health/live").SoonAsync(), StringComparison.Ordinal);
        await stop.CancelAsync();
        Assert.Equal(0, await host.SoonAsync());
        FreePorts.Return(port, 2);
    }

    [Theory]
    [InlineData("DataFolder")]
    [InlineData("StateDirectory")]
    [InlineData("Capture:File")]
    [InlineData("Services:echo:Assembly")]
    [InlineData("Services:echo:Anything")]
    [InlineData("LinkProviders:Wire:Assembly")]
    [InlineData("Nothing")]
    public async Task A_text_with_a_NUL_is_named(string setting)
    {
        IReadOnlyList<string> lines = await RefusedAsync($$"""{ "CamCube:{{setting}}": "a\u0000b" }""");
        Assert.Equal($"CamCube:{setting} = 'a\\u0000b': no setting has a NUL character.", lines[0]);
    }

    [Theory]
    [InlineData("")]
    [InlineData("a\u001b[2Jb")]
    [InlineData("a\nb")]
    [InlineData("a\u007fb")]
    [InlineData("W\u00fcrfel")]
    [InlineData("12345678901234567890123456789012345678901234567890123456789012345")]
    public async Task A_name_of_a_cube_is_held_to_its_rule_in_every_shim(string name)
    {
        LineWriter errors = new();
        Assert.Equal(2, await RunAsync(new LineWriter(), errors, $"--ClusterId={name}"));
        string line = Assert.Single(errors.Lines);
        Assert.EndsWith("': allowed are 1 to 64 printable ASCII characters.", line, StringComparison.Ordinal);
        Assert.StartsWith("CamCube:ClusterId = '", line, StringComparison.Ordinal);
        Assert.DoesNotContain(line, char.IsControl);
    }

    [Fact]
    public async Task A_value_of_a_hundred_megabytes_is_not_repeated()
    {
        LineWriter errors = new();
        Assert.Equal(
            2,
            await RunAsync(
                new LineWriter(),
                errors,
                $"--ClusterId={new string('x', 100_000_000)}",
                $"--{new string('y', 1_000_000)}=1"
            )
        );
        Assert.Equal(2, errors.Lines.Count);
        Assert.All(errors.Lines, line => Assert.InRange(line.Length, 1, 2_000));
    }

    [Theory]
    [InlineData("""{ "CamCube": 5 }""", "CamCube = '5': this is a group of settings")]
    [InlineData("""{ "CamCube": "here" }""", "CamCube = 'here': this is a group of settings")]
    [InlineData("""{ "CamCube": true }""", "CamCube = 'True': this is a group of settings")]
    [InlineData("""{ "CamCube": [7] }""", "CamCube:0 is not a setting")]
    [InlineData("""{ "Logging": 5 }""", "Logging = '5': this is a group of settings")]
    [InlineData("""{ "CamCube": { "Services": 5 } }""", "CamCube:Services = '5': this is a group of settings")]
    [InlineData("""{ "CamCube": { "FrontEnds": 5 } }""", "CamCube:FrontEnds = '5': this is a group of settings")]
    [InlineData(
        """{ "CamCube": { "LinkProviders": 5 } }""",
        "CamCube:LinkProviders = '5': this is a group of settings"
    )]
    public async Task A_value_where_a_group_belongs_is_named(string settings, string message) =>
        Assert.StartsWith(message, Assert.Single(await RefusedAsync(settings)), StringComparison.Ordinal);

    [Theory]
    [InlineData(2_000, "CamCube:{0}", "1")]
    [InlineData(2_000, "CamCube:Services:{0}:Enabled", "true")]
    [InlineData(2_000, "CamCube:FrontEnds:{0}:Port", "1")]
    [InlineData(200_000, "CamCube:{0}", "1")]
    [InlineData(200_000, "CamCube:Services:{0}:Enabled", "true")]
    public async Task Very_many_unknown_names_are_answered_soon(int count, string name, string value)
    {
        string settings = string.Join(
            ",\n",
            Enumerable
                .Range(0, count)
                .Select(i => $"\"{string.Format(CultureInfo.InvariantCulture, name, $"Shpae{i}")}\": {value}")
        );
        long began = Stopwatch.GetTimestamp();
        IReadOnlyList<string> lines = await RefusedAsync($"{{ {settings} }}");

        // A second or two on an idle machine; without bounds it was minutes.
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.Zero, TimeSpan.FromSeconds(30));
        Assert.Equal(count > 2_048 ? 1 : count, lines.Count);
    }

    [Fact]
    public async Task More_settings_than_a_host_has_are_refused_wherever_they_come_from()
    {
        LineWriter errors = new();
        Hashtable environment = new(
            Enumerable.Range(0, 5_000).ToDictionary(i => (object)$"CamCube__a{i}", _ => (object)"1")
        );
        Assert.Equal(2, await RunAsync(new LineWriter(), errors, environment: environment));
        Assert.Equal("there are 5000 settings; allowed are 2048.", Assert.Single(errors.Lines));
    }

    [Theory]
    [InlineData("/dev/zero")]
    [InlineData("/dev/urandom")]
    [InlineData(null)]
    public async Task A_file_without_end_is_not_read_to_its_end(string? target)
    {
        using TestFolder folder = new();
        string file = Path.Combine(folder.Path, "settings.json");
        if (target is null)
        {
            // Larger than the machine's memory, and empty.
            using FileStream huge = File.Create(file);
            huge.SetLength(1L << 42);
        }
        else
        {
            File.CreateSymbolicLink(file, target);
        }

        LineWriter errors = new();
        Assert.Equal(
            2,
            await RunAsync(new LineWriter(), errors, folder.Path, CancellationToken.None, $"--settings={file}")
        );
        Assert.Equal(
            $"{file}: is larger than 1048576 bytes, which a settings file may have.",
            Assert.Single(errors.Lines)
        );
    }

    [Fact]
    public async Task The_largest_file_is_the_program_s_choice()
    {
        using TestFolder folder = new("""{ "CamCube": { "HopLimit": -1 } }""");
        LineWriter errors = new();
        HostSetup setup = new()
        {
            Folder = folder.Path,
            Environment = new Hashtable(),
            Errors = errors,
            Cubes = [new FakeCubeFactory()],
            SettingsLimit = 20,
        };
        Assert.Equal(2, await HostProgram.RunAsync(setup).SoonAsync());
        Assert.Equal(
            $"{folder.SettingsFile}: is larger than 20 bytes, which a settings file may have.",
            Assert.Single(errors.Lines)
        );
    }

    [Theory]
    [InlineData("Shape", "shpae", true)]
    [InlineData("Shape", "Shape1", true)]
    [InlineData("Shape", "Shapeshifter", false)]
    [InlineData("HopLimit", "hoplimt", true)]
    public void Names_of_very_different_length_are_not_compared(string known, string written, bool isNear) =>
        Assert.Equal(isNear ? known : null, NearestName.Find(written, [known, "Something"]));

    private static Task<int> RunAsync(TextWriter output, TextWriter errors, params string[] arguments) =>
        RunAsync(output, errors, Path.GetTempPath(), CancellationToken.None, arguments);

    private static Task<int> RunAsync(TextWriter output, TextWriter errors, IDictionary environment) =>
        HostProgram
            .RunAsync(
                new HostSetup
                {
                    Folder = Path.GetTempPath(),
                    Environment = environment,
                    Output = output,
                    Errors = errors,
                    Cubes = [new FakeCubeFactory()],
                }
            )
            .SoonAsync();

    private static Task<int> RunAsync(
        TextWriter output,
        TextWriter errors,
        string folder,
        CancellationToken stop,
        params string[] arguments
    ) =>
        Task.Run(() =>
            HostProgram.RunAsync(
                new HostSetup
                {
                    Arguments = arguments,
                    Folder = folder,
                    Environment = new Hashtable(),
                    Output = output,
                    Errors = errors,
                    Cubes = [new FakeCubeFactory()],
                },
                stop
            )
        );

    /// <summary>What is said of a settings file.</summary>
    private static async Task<IReadOnlyList<string>> RefusedAsync(string settings)
    {
        using TestFolder folder = new(settings);
        LineWriter errors = new();
        Assert.Equal(2, await RunAsync(new LineWriter(), errors, folder.Path, CancellationToken.None).SoonAsync());
        Assert.NotEmpty(errors.Lines);
        return errors.Lines;
    }
}
