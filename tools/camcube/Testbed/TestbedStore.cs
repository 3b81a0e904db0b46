using System.Text.Json;
using System.Text.Json.Serialization;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Testbed;

/// <summary>
/// The state file of a testbed, /run/camcube-testbed/NAME.json, and the folder with logs and state of its servers beside it. /run is empty
/// after a start of the machine, as the testbed is. Whoever changes a testbed holds its lock; reading needs none.
/// </summary>
internal sealed class TestbedStore : IDisposable
{
    private const string Root = "/run/camcube-testbed";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);
    private static readonly JsonSerializerOptions Json = new(ToolJson.Options) { Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) } };
    private readonly string _name;
    private FileStream? _lock;

    private TestbedStore(string name, FileStream held) => (_name, _lock) = (name, held);

    /// <summary>Where a server's files are.</summary>
    public static string FolderOf(string name) => Path.Combine(Root, name);

    /// <summary>Where a server's output goes.</summary>
    public static string LogOf(TestbedPlan plan, Coordinate at) => Path.Combine(FolderOf(plan.Name), $"{at.X}-{at.Y}-{at.Z}.log");

    /// <summary>Where a server keeps what it has to know after a start.</summary>
    public static string StateFolderOf(TestbedPlan plan, Coordinate at) => Path.Combine(FolderOf(plan.Name), $"{at.X}-{at.Y}-{at.Z}");

    /// <summary>Takes the lock.</summary>
    /// <exception cref="ToolException">Another command is at work on the testbed.</exception>
    public static TestbedStore Open(string name)
    {
        const UnixFileMode Mine = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
        if (!OperatingSystem.IsWindows())
        {
            // Keys and logs of servers are in there.
            Directory.CreateDirectory(Root, Mine);
        }

        string path = Path.Combine(Root, name + ".lock");
        DateTime late = DateTime.UtcNow + Patience;
        for (; ; Thread.Sleep(50))
        {
            try
            {
                var file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);

                // The file goes with the testbed: whoever waited for a file that is gone now has locked nothing.
                if (ProcessFiles.LinkTarget($"/proc/self/fd/{file.SafeFileHandle.DangerousGetHandle()}") == path)
                {
                    return new TestbedStore(name, file);
                }

                file.Dispose();
            }
            catch (IOException) when (DateTime.UtcNow < late)
            {
                // Locked by another command.
            }
            catch (IOException)
            {
                throw new ToolException(ExitCode.Failed, $"another command is at work on testbed '{name}'; try again when it has ended.");
            }
        }
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
            throw new ToolException(ExitCode.Failed, $"{path} is no state of a testbed of this version: {e.Message}");
        }
    }

    /// <summary>The state of a testbed that must be there.</summary>
    public static TestbedState Require(string name) => Read(name) ?? throw new ToolException(
        ExitCode.Failed, $"there is no testbed '{name}'; 'camcube testbed up' makes one.");

    /// <summary>Replaces the state at once: whoever reads sees the old or the new one.</summary>
    public void Write(TestbedState state)
    {
        string path = FileOf(_name), next = path + ".new";
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

    private static string FileOf(string name) => Path.Combine(Root, name + ".json");
}
