using System.Net;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Observing;
using CamCube.Hosting.Settings;
using CamCube.Hosting.Tests.Kit;
using CamCube.Runtime;
using CamCube.Simulator.Live;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Tests.Live;

/// <summary>A service that ran in a real cube, and its front ends, are gone from memory after they were
/// removed.</summary>
public sealed class UnloadingTests
{
    [Fact]
    public async Task A_removed_service_is_unloaded()
    {
        using ILoggerFactory loggers = LoggerFactory.Create(_ => { });
        using TestFolder folder = new();

        IReadOnlyList<WeakReference> gone = await RunAndRemoveAsync(folder, loggers);

        // Without a stack of its own this runs inside the completion of the method above, whose state still holds the
        // cube.
        await Task.Yield();
        Assert.Equal(2, gone.Count);
        long began = TimeProvider.System.GetTimestamp();
        while (
            gone.Any(reference => reference.IsAlive)
            && TimeProvider.System.GetElapsedTime(began) < TimeSpan.FromSeconds(20)
        )
        {
            // The serializer of a command's result keeps accessors of types for a second, and looks at that when it
            // makes others, as it does for options that it has not met.
            JsonSerializer.Serialize(
                new { Any = 1 },
                new JsonSerializerOptions { Converters = { new JsonStringEnumConverter() } }
            );
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.All(gone, reference => Assert.False(reference.IsAlive));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<IReadOnlyList<WeakReference>> RunAndRemoveAsync(TestFolder folder, ILoggerFactory loggers)
    {
        LoadedServices services = await RunAsync(folder, loggers);
        return services.Unload();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<LoadedServices> RunAsync(TestFolder folder, ILoggerFactory loggers)
    {
        int port = FreePorts.Take(1);
        IConfigurationRoot configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(
                new Dictionary<string, string?>
                {
                    ["CamCube:Services:echo:Limit"] = "3",
                    ["CamCube:Services:asker:Assembly"] = "echo",
                    ["CamCube:Services:subject:Assembly"] = "echo",
                    ["CamCube:FrontEnds:echo:Port"] = $"{port}",
                    ["CamCube:FrontEnds:said:Assembly"] = "said",
                }
            )
            .Build();
        Mistakes mistakes = new();
        SettingsBinder binder = new(mistakes);
        OptionsReader reader = new(binder, mistakes);
        ConstructorPlanner planner = new(loggers, binder, mistakes);
        ContractContext contracts = new();
        var entries = reader.ReadEntries<ServiceEntryOptions>(configuration.GetSection("CamCube:Services"));
        LoadedServices services = new ServiceLoader(
            Path.Combine(folder.Path, "services"),
            contracts,
            planner,
            mistakes
        ).Load(entries);
        var frontEndEntries = reader.ReadEntries<FrontEndOptions>(configuration.GetSection("CamCube:FrontEnds"));
        new FrontEndAssemblyLoader(folder.FrontEndFolder(""), contracts, mistakes).Load(
            frontEndEntries,
            entries,
            services
        );
        IReadOnlyList<FrontEndDefinition> definitions = new FrontEndLoader(
            IPAddress.Loopback,
            planner,
            TimeProvider.System,
            mistakes
        ).Load(configuration, frontEndEntries, services);
        Assert.Empty(mistakes.Lines);

        await using LiveCube cube = new(
            new TorusShape(1, 1, 1),
            [.. services.Services.Select(s => s.Definition)],
            new ServerOptions(),
            new LoggedServerEvents(loggers, new EndedParts(), TimeProvider.System),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        await using (FrontEndSet frontEnds = new(cube, definitions))
        {
            await frontEnds.StartAsync(0, CancellationToken.None);
            using EchoClient client = await EchoClient.ConnectAsync(port);
            Assert.Equal("echo 0,0,0 hi", await client.AskAsync("hi"));
            Assert.Contains(("said", "echo 0,0,0 word"), frontEnds.ReadyTexts());
            await frontEnds.StopAllAsync();
        }

        CommandResult greeted = await cube.GateOf(0)
            .RunCommandAsync(CommandCall.Of("subject", "greet", ("name", "you"), ("times", "2")));
        Assert.Equal("""{"from":"0,0,0","words":["hello you","hello you"]}""", greeted.Text);
        CommandResult refused = await cube.GateOf(0)
            .RunCommandAsync(CommandCall.Of("subject", "greet", ("times", "4")));
        Assert.Equal("times=4: allowed is 1 to 3. name is missing (who).", refused.Text);
        await cube.StopAsync(CancellationToken.None);
        return services;
    }
}
