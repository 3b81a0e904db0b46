using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube images</c> against a real host.</summary>
public sealed class ImagesTests : IDisposable
{
    private const int Servers = 3;

    // One white pixel.
    private static readonly byte[] Gif = Convert.FromBase64String("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=");

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-images-");
    private readonly int _port = HostProcess.FreePorts(2 * Servers);

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task A_picture_is_put_through_one_server_and_got_through_another_and_removed()
    {
        string file = Path.Combine(_folder.FullName, "a.gif"),
            key = Path.Combine(_folder.FullName, "key");
        await File.WriteAllBytesAsync(file, Gif, TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(key, new string('k', 40), TestContext.Current.CancellationToken);
        await using HostProcess host = await StartAsync();
        ToolRun put = await ImagesAsync(host, "put", file, "--as", "a.gif", "--json");
        Assert.Equal((0, ""), (put.ExitCode, put.Error));
        JsonElement json = JsonDocument.Parse(put.Output).RootElement;
        Assert.Equal(("image/gif", 1), (json.GetProperty("type").GetString(), json.GetProperty("width").GetInt32()));
        string version = json.GetProperty("version").GetString()!;
        Assert.Equal(1, (await ImagesAsync(host, "put", file, "--as", "a.gif", "--if-absent")).ExitCode);
        ToolRun info = await ImagesAsync(host, "info", "a.gif", "--at", "2", "--json");
        json = JsonDocument.Parse(info.Output).RootElement;
        Assert.Equal(version, json.GetProperty("version").GetString());
        Assert.Equal(Servers, json.GetProperty("servers").GetArrayLength());
        Assert.Equal(0, (await ImagesAsync(host, "get", "a.gif", "--out", $"{file}.2", "--at", "1")).ExitCode);
        Assert.Equal(Gif, await File.ReadAllBytesAsync($"{file}.2", TestContext.Current.CancellationToken));

        ToolRun posted = await ImagesAsync(host, "put", file, "--json");
        string name = JsonDocument.Parse(posted.Output).RootElement.GetProperty("name").GetString()!;
        Assert.Equal((0, 40), (posted.ExitCode, name.Length));
        ToolRun signed = await ImagesAsync(host, "sign", "a.gif", "--key", key, "--for", "10s");
        Assert.Contains("/images/a.gif?end=", signed.Output, StringComparison.Ordinal);

        Assert.Equal(1, (await ImagesAsync(host, "rm", "a.gif", "--if-version", "7")).ExitCode);
        Assert.Equal(0, (await ImagesAsync(host, "rm", "a.gif", "--if-version", version)).ExitCode);
        ToolRun gone = await ImagesAsync(host, "get", "a.gif", "--at", "1");
        Assert.Equal((1, "camcube: there is no such image."), (gone.ExitCode, gone.OnlyErrorLine()));
        await File.WriteAllTextAsync(file, "<svg/>", TestContext.Current.CancellationToken);
        ToolRun none = await ImagesAsync(host, "put", file);
        Assert.Equal(2, none.ExitCode);
        Assert.Contains("no JPEG, PNG, WebP or GIF", none.Error, StringComparison.Ordinal);
        Assert.Equal(2, (await ImagesAsync(host, "rm", "a/b")).ExitCode);
    }

    [Fact]
    public async Task A_load_says_how_many_pictures_came_and_went_and_how_long_it_took_and_leaves_nothing()
    {
        await using HostProcess host = await StartAsync();
        string[] small = ["--pictures", "5", "--mean", "30kB", "--images", "12"];
        string[] load = ["load", "--for", "5min", "--requests", "120", "--clients", "6", "--puts", "40", "--json"];
        ToolRun run = await ImagesAsync(host, [.. load, .. small]);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        JsonElement json = JsonDocument.Parse(run.Output).RootElement;
        JsonElement puts = json.GetProperty("puts"),
            gets = json.GetProperty("gets");
        Assert.InRange(puts.GetProperty("count").GetInt32(), 1, int.MaxValue);
        Assert.InRange(gets.GetProperty("count").GetInt32(), 1, int.MaxValue);
        double[] times = [.. new[] { "p50Ms", "p90Ms", "p99Ms", "p999Ms", "maxMs" }.Select(Time)];
        Assert.Equal(times.Order(), times);
        Assert.InRange(times[0], 0.001, 60_000);
        Assert.Equal("{}", json.GetProperty("failed").GetRawText());
        Assert.Equal(
            (Servers, 6, 0, 0, 0),
            (Number("servers"), Number("clients"), Number("wrong"), Number("kept"), Number("pending"))
        );
        ToolRun none = await ImagesAsync(host, "load", "--mean", "5MB");
        Assert.Equal(2, none.ExitCode);
        ToolRun unread = await ImagesAsync(host, "load", "--variant", "thumb");
        Assert.Equal(2, unread.ExitCode);
        Assert.Contains("give fewer --puts", unread.Error, StringComparison.Ordinal);

        double Time(string name) => puts.GetProperty(name).GetDouble();
        int Number(string name) => json.GetProperty(name).GetInt32();
    }

    [Fact]
    public async Task A_host_without_the_store_is_said_to_have_none()
    {
        await using HostProcess host = await HostProcess.StartAsync(0, 0, "--Shape=1x1x1");
        ToolRun run = await ImagesAsync(host, "info", "a");
        Assert.Equal(3, run.ExitCode);
        Assert.Contains("a host has it with --Services:images:Enabled=true", run.Error, StringComparison.Ordinal);
    }

    private Task<HostProcess> StartAsync() =>
        HostProcess.StartAsync(
            0,
            0,
            $"--Shape={Servers}x1x1",
            "--Services:kv:Enabled=true",
            "--Services:images:Enabled=true",
            $"--DataFolder={Path.Combine(_folder.FullName, "data")}",
            $"--FrontEnds:kv-http:Port={_port}",
            $"--FrontEnds:images:Port={_port + Servers}"
        );

    private static Task<ToolRun> ImagesAsync(HostProcess host, params string[] arguments) =>
        ToolRun.Of(["images", .. arguments, "--host", $"http://127.0.0.1:{host.HttpPort}"]);
}
