using System.Runtime.InteropServices;

namespace CamCube.Services.Images.Worker.Sandbox;

/// <summary>
/// A .NET program has threads before its first line, and Landlock holds for one thread and what comes of it. So the
/// program runs twice: the first run takes rights away in its main thread and executes itself, and the second has them
/// away in each of its threads.
/// </summary>
internal static unsafe class SecondRun
{
    private const string MemoryName = "CAMCUBE_WORKER_MEMORY";
    private const string RunName = "CAMCUBE_WORKER_RUN";
    private const string LacksName = "CAMCUBE_WORKER_LACKS";
    private const ulong UsualMemory = 256 << 20;

    private static readonly string[] Kept =
    [
        "DOTNET_ROOT",
        "DOTNET_gcServer",
        "DOTNET_gcConcurrent",
        "DOTNET_GCHeapHardLimit",
        "DOTNET_TieredPGO",
    ];

    /// <summary>Whether this is the second run.</summary>
    public static bool IsHere => Environment.GetEnvironmentVariable(RunName) == "2";

    /// <summary>What the first run found missing.</summary>
    public static string[] Lacks =>
        Environment.GetEnvironmentVariable(LacksName)?.Split(',', StringSplitOptions.RemoveEmptyEntries) ?? [];

    /// <summary>Takes rights away and executes itself. Does not return, unless that fails.</summary>
    /// <param name="arguments">What the program was started with.</param>
    /// <returns>The error number.</returns>
    public static int Begin(string[] arguments)
    {
        List<string> lacks = [];
        string program = Environment.ProcessPath!;
        string[] readable = [.. Readable()];
        ulong memory = ulong.TryParse(Environment.GetEnvironmentVariable(MemoryName), out ulong m) ? m : UsualMemory;
        Limits.Set(memory, lacks);
        Landlock.Restrict(readable, lacks);
        byte** texts = Texts([program, .. arguments]);
        byte** environment = Texts([
            .. Kept.Select(name => (name, Value: Environment.GetEnvironmentVariable(name)))
                .Where(entry => entry.Value is not null)
                .Select(entry => $"{entry.name}={entry.Value}"),
            "DOTNET_EnableWriteXorExecute=0",
            "DOTNET_EnableDiagnostics=0",
            "MALLOC_ARENA_MAX=2",
            "VIPS_BLOCK_UNTRUSTED=1",
            "VIPS_CONCURRENCY=1",
            $"{RunName}=2",
            $"{LacksName}={string.Join(',', lacks)}",
        ]);
        _ = SystemCalls.Execute(program, texts, environment);
        return Marshal.GetLastPInvokeError();
    }

    /// <summary>The program's own folder, .NET's, and those of the libraries that the first run has loaded.</summary>
    private static IEnumerable<string> Readable()
    {
        DirectoryInfo runtime = new(RuntimeEnvironment.GetRuntimeDirectory());
        yield return AppContext.BaseDirectory;
        yield return runtime.Parent!.Parent!.Parent!.FullName;
        yield return "/etc/ld.so.cache";
        yield return "/proc/self/maps";
        HashSet<string> seen = [];
        foreach (string line in File.ReadLines("/proc/self/maps"))
        {
            int path = line.IndexOf('/');
            if (path >= 0 && line.Contains(".so", StringComparison.Ordinal))
            {
                string folder = Path.GetDirectoryName(line[path..])!;
                if (folder.Length > 1 && seen.Add(folder))
                {
                    yield return folder;
                }
            }
        }
    }

    private static byte** Texts(string[] texts)
    {
        byte** pointers = (byte**)NativeMemory.AllocZeroed((nuint)texts.Length + 1, (nuint)sizeof(byte*));
        for (int i = 0; i < texts.Length; i++)
        {
            pointers[i] = (byte*)Marshal.StringToCoTaskMemUTF8(texts[i]);
        }

        return pointers;
    }
}
