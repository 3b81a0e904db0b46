using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Images;

/// <summary>A real host of three servers with the image store, its originals in memory, in a process of its
/// own.</summary>
internal sealed class ImageHost : IDisposable
{
    /// <summary>Servers, with a port each.</summary>
    public const int Servers = 3;

    private readonly OwnProcess _process;

    private ImageHost(OwnProcess process, int port) => (_process, Port) = (process, port);

    public HttpClient Http { get; } = new();

    /// <summary>That of its first server; those of the others follow.</summary>
    public int Port { get; }

    /// <summary>Processor time of the host and its workers so far, those that have ended included.</summary>
    public TimeSpan Cpu => ProcessTreeTime.OfTree(_process.Id);

    /// <summary>The same, the host and its workers apart.</summary>
    public (double Own, double Workers) CpuSeconds => ProcessTreeTime.OfTrees([_process.Id])[0];

    /// <summary>Starts it.</summary>
    public static async Task<ImageHost> StartAsync(string folder)
    {
        int port = FreePorts();
        OwnProcess process = OwnProcess.Start(
            "dotnet",
            HostProgramFile.Find(null),
            $"--CamCube:Shape={Servers}x1x1",
            "--CamCube:Services:kv:Enabled=true",
            "--CamCube:Services:kv:Tables:0=1=3,storage=memory",
            "--CamCube:Services:images:Table=1",
            "--CamCube:Services:images:Enabled=true",
            $"--CamCube:DataFolder={Path.Combine(folder, "data")}",
            $"--CamCube:FrontEnds:kv-http:Port={OwnProcess.FreePort()}",
            $"--CamCube:FrontEnds:images:Port={port}",
            "--CamCube:FrontEnds:kv-http:Enabled=false",
            "--CamCube:FrontEnds:memcached:Enabled=false",
            $"--CamCube:Http:Port={OwnProcess.FreePort()}"
        );
        var host = new ImageHost(process, port);
        try
        {
            await OwnProcess.UntilAsync(
                "the store",
                async () =>
                    (await host.Http.GetAsync(host.UrlOf(Servers - 1, "none"))).StatusCode
                    == System.Net.HttpStatusCode.NotFound
            );
        }
        catch
        {
            host.Dispose();
            throw;
        }

        return host;
    }

    /// <summary>An image, or a variant, through a server.</summary>
    public string UrlOf(int rank, string name) => $"http://127.0.0.1:{Port + rank}/images/{name}";

    /// <summary>Puts a picture; the status.</summary>
    public async Task<int> PutAsync(int rank, string name, byte[] bytes)
    {
        using HttpResponseMessage answer = await Http.PutAsync(UrlOf(rank, name), new ByteArrayContent(bytes));
        await answer.Content.ReadAsByteArrayAsync();
        return (int)answer.StatusCode;
    }

    /// <summary>Puts a picture that has to be taken.</summary>
    public async Task StoreAsync(int rank, string name, byte[] bytes)
    {
        int status = await PutAsync(rank, name, bytes);
        if (status is < 200 or > 299)
        {
            throw new TestbedException($"PUT {name}: {status}.");
        }
    }

    /// <summary>As <see cref="StoreAsync"/>, on this thread.</summary>
    public void Store(int rank, string name, byte[] bytes)
    {
        using var request = new HttpRequestMessage(HttpMethod.Put, UrlOf(rank, name));
        request.Content = new ByteArrayContent(bytes);
        Send(request);
    }

    /// <summary>Gets a picture, or a variant, that has to be there, on this thread.</summary>
    public void Get(int rank, string name)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, UrlOf(rank, name));
        Send(request);
    }

    /// <summary>The server of an image's name.</summary>
    public async Task<int> RootOfAsync(string name)
    {
        JsonElement info = await Http.GetFromJsonAsync<JsonElement>(UrlOf(0, $"{name}/info"));
        return int.Parse(
            info.GetProperty("root").GetString()!.Split(',')[0],
            System.Globalization.CultureInfo.InvariantCulture
        );
    }

    public void Dispose()
    {
        Http.Dispose();
        _process.Dispose();
    }

    // Its body is read before the answer is there.
    private void Send(HttpRequestMessage request)
    {
        using HttpResponseMessage answer = Http.Send(request);
        if (!answer.IsSuccessStatusCode)
        {
            throw new TestbedException($"{request.Method} {request.RequestUri}: {(int)answer.StatusCode}.");
        }
    }

    // Those of all servers, one behind the other, below the ports that systems give away.
    private static int FreePorts() => 20_000 + (Environment.ProcessId % 10_000);
}
