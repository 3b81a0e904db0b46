using CamCube.Benchmarks.Images;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Camdoop;

/// <summary>A real host of 27 servers with MapReduce, in a process of its own, and its command line.</summary>
internal sealed class CamdoopHost : IDisposable
{
    private static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(10);
    private readonly OwnProcess _process;
    private readonly string _url;
    private readonly string _tool = BuiltProgram.Find("camcube", "camcube.dll");

    private CamdoopHost(OwnProcess process, string url) => (_process, _url) = (process, url);

    /// <summary>Processor time of the host and the programs that it has started so far, those that have ended
    /// included.</summary>
    public TimeSpan Cpu => ProcessTreeTime.OfTree(_process.Id);

    /// <summary>Starts it.</summary>
    public static async Task<CamdoopHost> StartAsync(string folder)
    {
        int port = OwnProcess.FreePort();
        OwnProcess process = OwnProcess.Start(
            "dotnet",
            HostProgramFile.Find(null),
            "--CamCube:Shape=3x3x3",
            "--CamCube:Services:kv:Enabled=true",
            "--CamCube:Services:files:Enabled=true",
            "--CamCube:Services:camdoop:Enabled=true",
            "--CamCube:Services:camdoop:Programs=true",
            "--CamCube:Services:camdoop:Assemblies=true",
            $"--CamCube:DataFolder={Path.Combine(folder, "data")}",
            "--CamCube:FrontEnds:kv-http:Enabled=false",
            "--CamCube:FrontEnds:camdoop:Enabled=false",
            $"--CamCube:FrontEnds:files:Port={20_000 + (Environment.ProcessId % 10_000)}",
            $"--CamCube:Http:Port={port}"
        );
        var host = new CamdoopHost(process, $"http://127.0.0.1:{port}");
        try
        {
            await OwnProcess.UntilAsync("the file store", () => Task.FromResult(host.Try("files", "ls", "/") == 0));
        }
        catch
        {
            host.Dispose();
            throw;
        }

        return host;
    }

    /// <summary>Has the command line do something that has to succeed.</summary>
    /// <exception cref="TestbedException">It did not.</exception>
    public string Run(params IReadOnlyList<string> words)
    {
        (int code, string output, string error) = Call(words);
        return code == 0 ? output : throw new TestbedException($"camcube {string.Join(' ', words)}: {error}");
    }

    /// <summary>Seconds of processor time that it takes in a second in which nobody wants anything.</summary>
    public async Task<double> IdleAsync()
    {
        TimeSpan before = Cpu;
        await Task.Delay(IdleTime);
        return (Cpu - before) / IdleTime;
    }

    public void Dispose() => _process.Dispose();

    private int Try(params IReadOnlyList<string> words) => Call(words).Code;

    private (int Code, string Output, string Error) Call(IReadOnlyList<string> words) =>
        Programs.Try("env", [$"CAMCUBE_HOST={_url}", "dotnet", _tool, .. words]);
}
