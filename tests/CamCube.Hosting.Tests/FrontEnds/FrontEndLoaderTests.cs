using System.Net;
using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;
using CamCube.Hosting.Tests.Kit;
using CamCube.Runtime.Services;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.Hosting.Tests.FrontEnds;

public sealed class FrontEndLoaderTests
{
    private readonly Mistakes _mistakes = new();

    [Fact]
    public void A_front_end_has_its_own_port_unless_it_is_configured()
    {
        FrontEndDefinition own = Assert.Single(Load([typeof(Good)]));
        Assert.Equal(("good", 4_000, "127.0.0.1"), (own.Name, own.Port, own.Address.ToString()));

        FrontEndDefinition set = Assert.Single(Load([typeof(Good)], ("good:Port", "5000"), ("good:Address", "::1")));
        Assert.Equal((5_000, "::1"), (set.Port, set.Address.ToString()));
        Assert.IsType<Good>(set.Create(new FakeGate(new TorusShape(1, 1, 1), 0)));
        Assert.Empty(_mistakes.Lines);
    }

    [Fact]
    public void A_front_end_that_is_not_enabled_is_left_out() =>
        Assert.Empty(Load([typeof(Good)], ("good:Enabled", "false")));

    [Fact]
    public void One_that_does_not_start_by_default_starts_when_enabled_and_one_without_a_port_has_no_settings_of_one()
    {
        Assert.Empty(Load([typeof(Card)]));
        FrontEndDefinition card = Assert.Single(Load([typeof(Card)], ("card:Enabled", "true")));
        Assert.Equal(("card", 0, IPAddress.None, false), (card.Name, card.Port, card.Address, card.HasPort));
        Assert.Empty(_mistakes.Lines);

        Load([typeof(Card)], ("card:Enabled", "true"), ("card:Port", "5000"));
        Load([typeof(Card)], ("card:Enabled", "true"), ("card:Address", "::1"));
        Assert.Equal(
            [
                "CamCube:FrontEnds:card:Port: this front end has no port.",
                "CamCube:FrontEnds:card:Address: this front end has no port.",
            ],
            _mistakes.Lines
        );
    }

    /// <summary>Who meant to start it is not left to find out by the port that nobody listens on.</summary>
    [Fact]
    public void A_mistake_in_the_settings_of_one_that_is_off_by_itself_is_told()
    {
        Assert.Empty(Load([typeof(Card)], ("card:Enable", "true")));
        string mistake = Assert.Single(_mistakes.Lines);
        Assert.StartsWith("CamCube:FrontEnds:card:Enable is not a setting", mistake);
    }

    [Fact]
    public void A_class_that_is_no_front_end_and_two_of_one_name_are_named()
    {
        Load([typeof(Good), typeof(Impostor), typeof(Namesake)]);

        Assert.Equal(
            [
                $"{typeof(Impostor).FullName} has [FrontEnd] but does not implement IFrontEnd.",
                $"two front ends are named 'good': {typeof(Good).FullName} and {typeof(Namesake).FullName}.",
            ],
            _mistakes.Lines
        );
    }

    [Fact]
    public void A_setting_for_a_front_end_without_any_service_is_named()
    {
        Load([], ("memcached:Port", "1"));

        Assert.Equal(
            ["CamCube:FrontEnds:memcached is not a setting; no loaded service has a front end."],
            _mistakes.Lines
        );
    }

    private IReadOnlyList<FrontEndDefinition> Load(Type[] types, params (string Name, string Value)[] settings)
    {
        IConfigurationRoot configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(settings.ToDictionary(s => $"CamCube:FrontEnds:{s.Name}", s => (string?)s.Value))
            .Build();
        LoadedServices services = new();
        services.Add(
            new LoadedService(ServiceDefinition.Of(_ => new Service()), null, types) { Type = typeof(Service) }
        );
        SettingsBinder binder = new(_mistakes);
        var entries = new OptionsReader(binder, _mistakes).ReadEntries<FrontEndOptions>(
            configuration.GetSection("CamCube:FrontEnds")
        );
        var planner = new ConstructorPlanner(NullLoggerFactory.Instance, binder, _mistakes);
        return new FrontEndLoader(IPAddress.Loopback, planner, TimeProvider.System, _mistakes).Load(
            configuration,
            entries,
            services
        );
    }

    [CamCubeService(0x7200, "empty")]
    private sealed class Service : CamCubeService;

    private class Silent : IFrontEnd
    {
        public ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel) => ValueTask.CompletedTask;

        public ValueTask DrainAsync(CancellationToken cancel) => ValueTask.CompletedTask;

        public ValueTask StopAsync() => ValueTask.CompletedTask;

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }

    [FrontEnd("good", 4_000)]
    private sealed class Good : Silent;

    [FrontEnd("card", 0, StartsByDefault = false)]
    private sealed class Card : Silent;

    [FrontEnd("good", 4_001)]
    private sealed class Namesake : Silent;

    [FrontEnd("impostor", 4_002)]
    private sealed class Impostor;
}
