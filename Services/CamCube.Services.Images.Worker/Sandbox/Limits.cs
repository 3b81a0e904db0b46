namespace CamCube.Services.Images.Worker.Sandbox;

/// <summary>What the worker takes from itself before it looks at anything: it cannot take it back.</summary>
internal static unsafe class Limits
{
    private const int FileLength = 1;
    private const int Data = 2;
    private const int Core = 4;
    private const int Descriptors = 7;
    private const int SetDeathSignal = 1;
    private const int SetNoNewPrivileges = 38;
    private const nuint Kill = 9;
    private const int CloseRange = 436;
    private const int CloseOnExec = 4;
    private const ulong MaxDescriptors = 64;

    /// <summary>Limits memory, descriptors and files, takes away new privileges, and ends with its parent. What is not
    /// there is named.</summary>
    /// <param name="memory">Bytes of RLIMIT_DATA.</param>
    /// <param name="lacks">Gets names.</param>
    public static void Set(ulong memory, List<string> lacks)
    {
        Set(Data, memory, "RLIMIT_DATA", lacks);
        Set(Descriptors, MaxDescriptors, "RLIMIT_NOFILE", lacks);
        Set(FileLength, 0, "RLIMIT_FSIZE", lacks);
        Set(Core, 0, "RLIMIT_CORE", lacks);
        if (SystemCalls.Control(SetNoNewPrivileges, 1, 0, 0, 0) != 0)
        {
            lacks.Add("no_new_privs");
        }

        _ = SystemCalls.Control(SetDeathSignal, Kill, 0, 0, 0);

        // What this process inherited by mistake does not go on: the picture's decoder has three pipes.
        if (SystemCalls.Call(CloseRange, 3, int.MaxValue, CloseOnExec, 0) != 0)
        {
            lacks.Add("close_range");
        }
    }

    private static void Set(int resource, ulong value, string name, List<string> lacks)
    {
        ulong* limit = stackalloc ulong[2] { value, value };
        if (SystemCalls.SetLimit(resource, limit) != 0)
        {
            lacks.Add(name);
        }
    }
}
