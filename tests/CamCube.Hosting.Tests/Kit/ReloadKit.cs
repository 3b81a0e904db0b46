using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Json;
using System.Runtime.Loader;
using System.Text.Json;
using CamCube.Host;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>A host whose services have several builds, and what is asked of it.</summary>
internal static class ReloadKit
{
    private static readonly SimulatorCubeFactory Simulator = new(TimeProvider.System);

    /// <summary>Waits until so many contexts of the assembly are left; others of this class run one after the
    /// other.</summary>
    public static async Task GoneAsync(int left)
    {
        long began = TimeProvider.System.GetTimestamp();
        int count;
        do
        {
            // The serializer keeps accessors of types for a second, and looks at that when it makes others.
            JsonSerializer.Serialize(new { Any = 1 }, new JsonSerializerOptions { WriteIndented = true });
            GC.Collect();
            GC.WaitForPendingFinalizers();
            await Task.Yield();
            count = AssemblyLoadContext.All.Count(context => context.Name == $"plug-in {Builds.Name}");
        } while (count > left && TimeProvider.System.GetElapsedTime(began) < TimeSpan.FromSeconds(20));

        Assert.Equal(left, count);
    }

    public static Task<TestHost> StartAsync(params string[] arguments) =>
        TestHost.StartAsync(
            Simulator,
            [
                "--shape=2x1x1",
                "--Services:subject:Assembly=one",
                "--Services:echo:Assembly=one",
                "--Services:diagnostics:Enabled=true",
                .. arguments,
            ],
            ports: 2,
            prepare: static folder =>
            {
                Builds.Make(folder, "one");
                Directory.CreateSymbolicLink(
                    folder.ServiceFolder("diagnostics"),
                    Path.Combine(AppContext.BaseDirectory, "services", "diagnostics")
                );
            }
        );

    /// <summary>A server of a real cube, of two.</summary>
    public static Task<TestHost> StartRealAsync(
        ConcurrentDictionary<Coordinate, MemoryLinks.Driver> hub,
        string coordinate
    ) =>
        TestHost.StartAsync(
            Simulator,
            [
                "--shape=2x1x1",
                "--shim=Memory",
                $"--Coordinate={coordinate}",
                "--AllowControl=true",
                "--FrontEndAddress=127.0.0.1",
                "--Services:subject:Assembly=one",
                "--Services:echo:Assembly=one",
            ],
            links: [new MemoryLinks(hub)],
            ports: 1,
            prepare: static folder => Builds.Make(folder, "one")
        );

    public static Task SetAsync(TestHost host, string name, string value) =>
        File.WriteAllTextAsync(
            host.Folder.SettingsFile,
            $$"""{ "CamCube": { "Services": { "echo": { "{{name}}": "{{value}}" } } } }"""
        );

    public static string? Version(JsonElement answer) => answer.GetProperty("version").GetString();

    public static JsonElement Service(JsonElement status, int rank, string name) =>
        status
            .GetProperty("servers")[rank]
            .GetProperty("services")
            .EnumerateArray()
            .Single(service => service.GetProperty("name").GetString() == name);

    public static async Task<string[]> HashesAsync(TestHost host)
    {
        JsonElement status = await host.StatusAsync();
        return [.. new[] { 0, 1 }.Select(rank => Service(status, rank, "subject").GetProperty("hash").GetString()!)];
    }

    public static async Task<string?> GreetAsync(TestHost host, int rank)
    {
        using HttpResponseMessage answer = await host
            .Http.PostAsync($"/api/servers/{rank}/services/subject/greet?name=you", null)
            .SoonAsync();
        return (await answer.Content.ReadFromJsonAsync<JsonElement>()).GetProperty("words")[0].GetString();
    }

    public static async Task<JsonElement> ReloadAsync(TestHost host, string service, string? from = null)
    {
        string query = from is null ? "" : $"?from={from}";
        using HttpResponseMessage answer = await host
            .Http.PostAsync($"/api/services/{service}/reload{query}", null)
            .SoonAsync();
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.StatusCode == HttpStatusCode.OK, text);
        return JsonDocument.Parse(text).RootElement;
    }

    public static async Task<(HttpStatusCode Status, string Detail)> RefusedAsync(
        TestHost host,
        string service,
        string? from = null,
        bool query = false,
        bool mayWork = false
    )
    {
        string path = query
            ? service.Replace("?", "/reload?", StringComparison.Ordinal)
            : $"{service}/reload{(from is null ? "" : $"?from={Uri.EscapeDataString(from)}")}";
        using HttpResponseMessage answer = await host.Http.PostAsync($"/api/services/{path}", null).SoonAsync();
        JsonElement json = await answer.Content.ReadFromJsonAsync<JsonElement>();
        return (
            answer.StatusCode,
            json.TryGetProperty("detail", out JsonElement detail) ? detail.GetString()!
            : mayWork ? ""
            : json.GetRawText()
        );
    }
}
