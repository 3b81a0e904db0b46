using System.Diagnostics.Metrics;
using CamCube.Hosting.Cubes;
using CamCube.Hosting.Observing;
using CamCube.Hosting.Tests.Kit;
using CamCube.Runtime;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.Hosting.Tests.Observing;

public sealed class CubeMetricsTests
{
    [Fact]
    public void Counters_of_links_services_and_servers_can_be_observed()
    {
        using ServiceProvider services = new ServiceCollection().AddMetrics().BuildServiceProvider();
        IMeterFactory meters = services.GetRequiredService<IMeterFactory>();
        List<string> seen = [],
            published = [];
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, l) =>
        {
            if (instrument.Meter.Name == "CamCube" && instrument.Meter.Scope == meters)
            {
                published.Add(instrument.Name);
                l.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>(
            (instrument, value, tags, _) =>
                seen.Add(
                    $"{instrument.Name} {value}{instrument.Unit} "
                        + $"{string.Join(',', tags.ToArray().Select(t => $"{t.Key}={t.Value}"))}"
                )
        );
        listener.Start();

        CubeMetrics metrics = new(Cube(), meters, TimeProvider.System);
        metrics.AddCountersOfServices();
        metrics.AddCountersOfServices();
        listener.RecordObservableInstruments();

        Assert.Equal(
            [
                "camcube.echo.heard 8{call} server=0,0,0,endpoint=one",
                "camcube.echo.hits 6{call} server=0,0,0",
                "camcube.echo.passed 7{packet} server=0,0,0,link=-z",
                "camcube.link.received 20{packet} server=0,0,0,link=+x",
                "camcube.link.received.bytes 2000By server=0,0,0,link=+x",
                "camcube.link.sent 10{packet} server=0,0,0,link=+x",
                "camcube.link.sent.bytes 1000By server=0,0,0,link=+x",
                "camcube.server.dropped 8{packet} server=0,0,0,reason=ReceiveFull",
                "camcube.server.packets 3{packet} server=0,0,0",
                "camcube.service.arrived 2{packet} server=0,0,0,service=echo",
                "camcube.service.callback.longest 5ns server=0,0,0,service=echo",
                "camcube.service.faults 1{fault} server=0,0,0,service=echo",
                "camcube.service.held 9{packet} server=0,0,0,service=echo",
                "camcube.service.sent 3{packet} server=0,0,0,service=echo",
            ],
            seen.Order(StringComparer.Ordinal)
        );

        // What has counted nothing on any link yet will be seen once it has.
        Assert.Contains("camcube.echo.quiet", published);
    }

    private static FakeCube Cube()
    {
        CubeRequest request = new(
            new TorusShape(1, 1, 1),
            default,
            [],
            new ServerOptions(),
            new LoggedServerEvents(NullLoggerFactory.Instance, new EndedParts(), TimeProvider.System),
            1,
            new Dictionary<string, string>()
        );
        return new FakeCube(request, new FakeCubeFactory());
    }
}
