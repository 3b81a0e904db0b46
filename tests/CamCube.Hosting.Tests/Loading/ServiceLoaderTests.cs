using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;
using CamCube.Hosting.Tests.Kit;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.Hosting.Tests.Loading;

public sealed class ServiceLoaderTests : IDisposable
{
    private const string Assembly = "echo/CamCube.TestServices.dll";
    private readonly TestFolder _folder = new();
    private readonly Mistakes _mistakes = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_service_is_loaded_with_its_options_queue_and_front_ends()
    {
        LoadedServices loaded = Load(
            ("echo:Limit", "7"),
            ("echo:MemoryLimit", "2MiB"),
            ("echo:Queue:Weight", "3"),
            ("echo:Queue:Drop", "Oldest")
        );

        Assert.Empty(_mistakes.Lines);
        LoadedService echo = Assert.Single(loaded.Services);
        Assert.Equal(new ServiceId(0x7101), echo.Definition.Id);
        Assert.Equal("echo", echo.Definition.Name);
        Assert.Equal(3, echo.Definition.Queue.Weight);
        Assert.Equal(DropPolicy.Oldest, echo.Definition.Queue.Drop);
        Assert.Equal(7, echo.Options!.GetType().GetProperty("Limit")!.GetValue(echo.Options));
        Assert.Equal(2L << 20, echo.Options.GetType().GetProperty("MemoryLimit")!.GetValue(echo.Options));
        Assert.Equal(["CardFrontEnd", "EchoFrontEnd"], loaded.FrontEnds.Select(type => type.Name).Order());
    }

    [Fact]
    public void Two_services_of_an_assembly_share_its_load_context()
    {
        LoadedServices loaded = Load(("echo:Enabled", "true"), ("asker:Assembly", Assembly));

        Assert.Empty(_mistakes.Lines);
        Assert.Equal(["asker", "echo"], loaded.Services.Select(s => s.Definition.Name));
        Assert.Equal(2, loaded.FrontEnds.Count);
        Assert.Single(loaded.Unload());
    }

    [Theory]
    [InlineData("true", "true", true)]
    [InlineData("false", "false", true)]
    [InlineData("true", "false", false)]
    public void A_service_whose_settings_need_another_does_not_start_without_it(string insists, string echo, bool may)
    {
        Load(("echo:Enabled", echo), ("asker:Assembly", Assembly), ("asker:Insists", insists));

        string line =
            "CamCube:Services:asker:Insists needs a service with IEcho, and none is enabled. Enable the echo.";
        Assert.Equal(may ? [] : [line], _mistakes.Lines);
    }

    [Theory]
    [InlineData("true", 2)]
    [InlineData("false", 0)]
    public void A_service_that_belongs_to_another_is_loaded_with_it_or_not_at_all(string enabled, int count)
    {
        LoadedServices loaded = Load(("echo:Enabled", enabled), ("asker:Assembly", Assembly), ("asker:With", "echo"));

        Assert.Empty(_mistakes.Lines);
        Assert.Equal(count, loaded.Services.Count);
    }

    [Fact]
    public void One_that_belongs_to_none_that_there_is_is_a_mistake()
    {
        Load(("echo:With", "ecoh"));

        Assert.Equal(
            ["CamCube:Services:echo:With = 'ecoh': there is no service CamCube:Services:ecoh."],
            _mistakes.Lines
        );
    }

    [Fact]
    public void A_service_that_is_not_enabled_is_not_loaded_but_its_front_ends_are_known()
    {
        LoadedServices loaded = Load(("echo:Enabled", "false"), ("echo:Whatever", "1"), ("gone:Enabled", "false"));

        Assert.Empty(_mistakes.Lines);
        Assert.Empty(loaded.Services);
        Assert.Equal(["echo", "echo-card"], loaded.AbsentFrontEnds.Order());
    }

    [Fact]
    public void A_missing_folder_names_the_nearest_service_or_the_setting()
    {
        Load(("echo:Limit", "1"), ("ecoh:Limit", "1"), ("quux:Limit", "1"));

        Assert.Equal(
            [
                $"CamCube:Services:ecoh: there is no file or folder {_folder.ServiceFolder("ecoh")}; "
                    + "did you mean CamCube:Services:echo? Otherwise set CamCube:Services:ecoh:Assembly.",
                $"CamCube:Services:quux: there is no file or folder {_folder.ServiceFolder("quux")}; "
                    + "set CamCube:Services:quux:Assembly to the service's assembly.",
            ],
            _mistakes.Lines
        );
    }

    [Fact]
    public void An_unknown_assembly_is_named()
    {
        Load(("echo:Assembly", "echo/Nix.dll"));

        Assert.Equal(
            [
                $"CamCube:Services:echo:Assembly = 'echo/Nix.dll': there is no file or folder "
                    + $"{_folder.ServiceFolder("echo")}/Nix.dll.",
            ],
            _mistakes.Lines
        );
    }

    [Fact]
    public void A_file_that_is_no_assembly_is_named()
    {
        string path = _folder.ServiceFolder("text.dll");
        File.WriteAllText(path, "not an assembly");

        Load(("echo:Assembly", "text.dll"));

        Assert.Equal(
            [$"CamCube:Services:echo:Assembly = 'text.dll': {path}: this is not a .NET assembly."],
            _mistakes.Lines
        );
    }

    [Fact]
    public void An_assembly_without_a_service_is_named()
    {
        string path = $"{_folder.ServiceFolder("echo")}/CamCube.TestServices.Contracts.dll";

        Load(("echo:Assembly", path));

        Assert.Equal(
            [$"CamCube:Services:echo:Assembly = '{path}': {path} has no public class that implements ICamCubeService."],
            _mistakes.Lines
        );
    }

    [Fact]
    public void A_service_that_the_assembly_does_not_have_is_named_with_those_it_has()
    {
        Load(("other:Assembly", Assembly));

        string[] parts = Assert.Single(_mistakes.Lines).TrimEnd('.').Split(" it has ");
        Assert.Equal(
            $"CamCube:Services:other:Assembly = '{Assembly}': {_folder.ServiceFolder(Assembly)} has no service "
                + $"named 'other';",
            parts[0]
        );
        Assert.Equal(
            [
                "asker",
                "clock-watcher",
                "echo",
                "impostor",
                "namesake",
                "namesake",
                "reserved",
                "subject",
                "twin",
                "undecided",
            ],
            parts[1].Split(", ").Order(StringComparer.Ordinal)
        );
    }

    [Theory]
    [InlineData(
        "impostor",
        "CamCube:Services:impostor: CamCube.TestServices.Impostor does not implement ICamCubeService."
    )]
    [InlineData(
        "reserved",
        "CamCube:Services:reserved: CamCube.TestServices.ReservedService: "
            + "id 0x0005 belongs to the runtime; use 0x0100 to 0xffff."
    )]
    [InlineData("undecided", "CamCube.TestServices.Undecided: one public constructor is needed, it has 2.")]
    [InlineData(
        "clock-watcher",
        "CamCube.TestServices.ClockWatcher: the constructor parameter TimeProvider time "
            + "cannot be supplied; there are IServer, Dependency<T>, an options class (one, "
            + "with a constructor without parameters), ILogger, ILogger<T> and ILoggerFactory; "
            + "the server's own clock is IServer.TimeProvider."
    )]
    [InlineData(
        "namesake",
        "CamCube:Services:namesake:Assembly = 'echo/CamCube.TestServices.dll': two classes are named 'namesake': "
            + "CamCube.TestServices.Namesake and CamCube.TestServices.OtherNamesake."
    )]
    public void A_class_that_cannot_be_a_service_says_why(string name, string message)
    {
        LoadedServices loaded = Load(($"{name}:Assembly", Assembly));

        Assert.Equal([message], _mistakes.Lines);
        Assert.Empty(loaded.Services);
    }

    [Fact]
    public void Two_services_with_one_id_are_named()
    {
        Load(("echo:Enabled", "true"), ("twin:Assembly", Assembly));

        Assert.Equal(
            [
                "CamCube:Services:echo and CamCube:Services:twin have the same id 0x7101; give one another id, "
                    + "or set its Enabled to false.",
            ],
            _mistakes.Lines
        );
    }

    [Theory]
    [InlineData(
        "echo:Limt",
        "1",
        "CamCube:Services:echo:Limt is not a setting; did you mean CamCube:Services:echo:Limit?"
    )]
    [InlineData("echo:Limit", "101", "CamCube:Services:echo:Limit = '101': allowed is 1 to 100.")]
    [InlineData(
        "asker:Quux",
        "1",
        "CamCube:Services:asker:Quux is not a setting; there are Assembly, Enabled, Insists, Queue, With."
    )]
    public void A_mistake_in_a_services_options_is_named(string setting, string value, string message)
    {
        Load((setting, value), ("asker:Assembly", Assembly));

        Assert.Equal([message], _mistakes.Lines);
    }

    [Fact]
    public void A_folder_with_several_assemblies_asks_for_one()
    {
        string folder = _folder.ServiceFolder("two");
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, "A.dll"), "");
        File.WriteAllText(Path.Combine(folder, "B.dll"), "");
        Directory.CreateDirectory(_folder.ServiceFolder("none"));

        Load(("none:Enabled", "true"), ("two:Assembly", "two"));

        Assert.Equal(
            [
                $"CamCube:Services:none: the folder {_folder.ServiceFolder("none")} has no assembly; "
                    + "set CamCube:Services:none:Assembly to the service's assembly.",
                $"CamCube:Services:two:Assembly = 'two': the folder {folder} has several assemblies; "
                    + $"name one of A.dll, B.dll.",
            ],
            _mistakes.Lines
        );
    }

    private LoadedServices Load(params (string Name, string Value)[] settings)
    {
        IConfigurationRoot configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(settings.ToDictionary(s => $"CamCube:Services:{s.Name}", s => (string?)s.Value))
            .Build();
        SettingsBinder binder = new(_mistakes);
        OptionsReader reader = new(binder, _mistakes);
        ConstructorPlanner planner = new(NullLoggerFactory.Instance, binder, _mistakes);
        return new ServiceLoader(
            Path.Combine(_folder.Path, "services"),
            new ContractContext(),
            planner,
            _mistakes
        ).Load(reader.ReadEntries<ServiceEntryOptions>(configuration.GetSection("CamCube:Services")));
    }
}
