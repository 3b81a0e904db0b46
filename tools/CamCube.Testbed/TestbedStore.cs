using System.Diagnostics;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace CamCube.Testbed;

/// <summary>
/// The state file of a testbed, /run/camcube-testbed/NAME.json, and the folder with logs and state of its servers
/// beside it. /run is empty after a start of the machine, as the testbed is. Whoever changes a testbed holds its lock;
/// reading needs none.
/// </summary>
public sealed class TestbedStore : IDisposable
{
    private const string Root = "/run/camcube-testbed";
    private const int WouldBlock = 11;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };
    private readonly string _name;
    private FileStream? _lock;

    private TestbedStore(string name, FileStream held) => (_name, _lock) = (name, held);

    /// <summary>Where a server's files are.</summary>
    public static string FolderOf(string name) => Path.Combine(Root, name);

    /// <summary>Where a server's output goes.</summary>
    public static string LogOf(TestbedPlan plan, Coordinate at) =>
        Path.Combine(FolderOf(plan.Name), $"{at.X}-{at.Y}-{at.Z}.log");

    /// <summary>Where a server keeps what it has to know after a start.</summary>
    public static string StateFolderOf(TestbedPlan plan, Coordinate at) =>
        Path.Combine(FolderOf(plan.Name), $"{at.X}-{at.Y}-{at.Z}");

    /// <summary>Takes the lock.</summary>
    /// <param name="name">The testbed.</param>
    /// <param name="root">Folder of all testbeds; it may be, or lie below, a symbolic link.</param>
    /// <param name="patience">How long another command is waited for; default 5 s.</param>
    /// <exception cref="TestbedException">Another command is at work on the testbed, or the folder cannot be
    /// written.</exception>
    public static TestbedStore Open(string name, string root = Root, TimeSpan? patience = null)
    {
        long began = Stopwatch.GetTimestamp();
        try
        {
            MakeFolder(root);
            do
            {
                if (TryLock(Path.Combine(root, name + ".lock")) is { } held)
                {
                    return new TestbedStore(name, held);
                }

                Thread.Sleep(50);
            } while (Stopwatch.GetElapsedTime(began) < (patience ?? Patience));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TestbedException($"{root} cannot be written: {e.Message}");
        }

        throw new TestbedException($"another command is at work on testbed '{name}'; try again when it has ended.");
    }

    /// <summary>The state, or null if there is no such testbed.</summary>
    public static TestbedState? Read(string name)
    {
        string path = FileOf(name);
        try
        {
            return JsonSerializer.Deserialize<TestbedState>(File.ReadAllText(path), Json);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (JsonException e)
        {
            throw new TestbedException($"{path} is no state of a testbed of this version: {e.Message}");
        }
    }

    /// <summary>The state of a testbed that must be there.</summary>
    public static TestbedState Require(string name) =>
        Read(name) ?? throw new TestbedException($"there is no testbed '{name}'; 'camcube testbed up' makes one.");

    /// <summary>Replaces the state at once: whoever reads sees the old or the new one.</summary>
    public void Write(TestbedState state)
    {
        string path = FileOf(_name),
            next = path + ".new";
        File.WriteAllText(next, JsonSerializer.Serialize(state, Json));
        File.Move(next, path, overwrite: true);
    }

    /// <summary>Removes folder, state and lock.</summary>
    public void Remove()
    {
        if (Directory.Exists(FolderOf(_name)))
        {
            Directory.Delete(FolderOf(_name), recursive: true);
        }

        File.Delete(FileOf(_name) + ".new");
        File.Delete(FileOf(_name));
        File.Delete(Path.Combine(Root, _name + ".lock"));
        Dispose();
    }

    /// <summary>Gives the lock back.</summary>
    public void Dispose()
    {
        _lock?.Dispose();
        _lock = null;
    }

    private static void MakeFolder(string root)
    {
        const UnixFileMode Mine = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
        if (!OperatingSystem.IsWindows())
        {
            // Keys and logs of servers are in there.
            Directory.CreateDirectory(root, Mine);
        }
    }

    /// <summary>The locked file, or null: another command has it, or took it away meanwhile.</summary>
    private static FileStream? TryLock(string path)
    {
        FileStream file;
        try
        {
            file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException e) when (e.HResult == WouldBlock)
        {
            return null;
        }

        // The file goes with the testbed: whoever waited for a file that is gone now has locked nothing. The kernel
        // puts a word behind the names of such files; what is before it may differ from the path by symbolic links.
        string? target = ProcessFiles.LinkTarget($"/proc/self/fd/{file.SafeFileHandle.DangerousGetHandle()}");
        if (target?.EndsWith(Path.GetFileName(path), StringComparison.Ordinal) == true)
        {
            return file;
        }

        file.Dispose();
        return null;
    }

    private static string FileOf(string name) => Path.Combine(Root, name + ".json");
}
