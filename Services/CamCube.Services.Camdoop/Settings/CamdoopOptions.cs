using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Camdoop;

/// <summary>Settings of MapReduce (<c>CamCube:Services:camdoop</c>). The same on all servers of a cube.</summary>
public sealed class CamdoopOptions
{
    /// <summary>Whether jobs may start programs of their own on this server. Default false: who may control the cube
    /// can run what they like on its servers then.</summary>
    public bool Programs { get; set; }

    /// <summary>Whether jobs may bring functions in C#, which run in the process of the host. Default false: who may
    /// control the cube can do what the host can then, and one that ends the process ends its servers.</summary>
    public bool Assemblies { get; set; }

    /// <summary>How long a function in C# may take for a window of records, waiting for a thread included, 10 ms to 1
    /// day. Default 1 min. One that takes longer fails its job, and its thread is lost until it returns. Too short:
    /// jobs fail on a busy machine.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan FunctionTime { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>How long it may take to load a job's assembly and to have its functions compiled, 1 s to 1 day. Default
    /// 5 min: all servers of a host do so at once. One that takes longer fails its job.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan LoadTime { get; set; } = TimeSpan.FromMinutes(5);

    /// <summary>Bytes of a job's assembly, and of each other that it needs, 4 KiB to 1 GiB. Default 64 MiB. Each server
    /// has them in memory while it knows the job.</summary>
    [Range(4 << 10, 1 << 30)]
    public int MostAssembly { get; set; } = 64 << 20;

    /// <summary>Map tasks that a server runs at once, 1 to 1,024. Default 2.</summary>
    [Range(1, 1_024)]
    public int MapSlots { get; set; } = 2;

    /// <summary>Programs of a host for map tasks, all its servers together, as many for reduces and for combiners, 1 to
    /// 1,024 each; 0, the default: four for each processor.</summary>
    [Range(0, 1_024)]
    public int ProgramSlots { get; set; }

    /// <summary>Bytes of pairs that are sorted at once, with 16 to 44 for each, 64 KiB to 1 GiB. Default 32 MiB. A
    /// running map task claims twice as much, and waits while the server's memory has not so much left. It is read
    /// where a job is begun, and holds for the job.</summary>
    [Range(64 << 10, 1 << 30)]
    public int SortBytes { get; set; } = 32 << 20;

    /// <summary>Bytes of the longest pair, 4 KiB to 256 MiB. Default 8 MiB; where pairs are combined on the way
    /// <see cref="MostCombined"/>. It is read where a job is begun.</summary>
    [Range(4 << 10, 256 << 20)]
    public int MostRecord { get; set; } = 8 << 20;

    /// <summary>Bytes of the longest pair of a job whose pairs are combined on the way, 1 KiB to 1 MiB. Default 8 KiB:
    /// so much each edge of a tree has for itself.</summary>
    [Range(1 << 10, 1 << 20)]
    public int MostCombined { get; set; } = 8 << 10;

    /// <summary>Bytes of map tasks' output that a server has in memory, 0 to 1 TiB. Default 256 MiB; the rest is on its
    /// disk.</summary>
    [Range(0, 1L << 40)]
    public long OutputMemory { get; set; } = 256L << 20;

    /// <summary>Bytes of all streams of pairs, sent and received, 1 MiB to 64 GiB. Default 64 MiB, a claim on the
    /// server's memory. So many reduces run at once as half of it has room for.</summary>
    [Range(1L << 20, 1L << 36)]
    public long Buffers { get; set; } = 64L << 20;

    /// <summary>Pairs of a file of output that are put into the key-value store at once, 1 to 4,096. Default
    /// 64.</summary>
    [Range(1, 4_096)]
    public int PutsAtOnce { get; set; } = 64;

    /// <summary>How often a job's tracker asks each server about it, 10 ms to 1 min. Default 500 ms. What changes is
    /// told at once; this is how soon a message that was lost costs no more time.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan SyncEvery { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long a job's tracker waits for a server's answer before it asks again, 10 ms to 1 min. Default 500
    /// ms. One that can be reached and has not answered for ten times as long is given up, with what it does. Too short
    /// where what waits for a slow link waits longer: servers lose each other, and tasks are begun anew.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan AnswerTime { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long a job waits while none of the servers that it runs on can be reached, 1 s to 1 day. Default 1
    /// min. Then it fails. Only a job that names its servers can come to that.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan AwayTime { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>How long a job that is over is known to its tracker without looking into the file store, 1 s to 1 day.
    /// Default 10 min.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan KeepTime { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>How often one server looks for jobs that nobody leads, 1 s to 1 day. Default 30 s: so soon a job goes
    /// on after the whole cube was off.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan LookEvery { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Jobs that are over and kept in the file store, 1 to 100,000. Default 1,000; older ones are
    /// forgotten.</summary>
    [Range(1, 100_000)]
    public int KeptJobs { get; set; } = 1_000;

    /// <summary>Jobs that a server knows at once, 1 to 10,000. Default 1,000. More are begun later.</summary>
    [Range(1, 10_000)]
    public int Jobs { get; set; } = 1_000;

    /// <summary>Folder on this machine in which programs have their working folders; empty, the default: the system's
    /// for temporary files.</summary>
    public string WorkFolder { get; set; } = "";

    /// <summary>Bytes that a job's archives may become on a server's disk, 1 MiB to 16 TiB. Default 4 GiB.</summary>
    [Range(1L << 20, 1L << 44)]
    public long MostArchive { get; set; } = 4L << 30;

    /// <summary>Files, folders and links of a job's archives, 1 to 10,000,000. Default 100,000.</summary>
    [Range(1, 10_000_000)]
    public int MostArchiveFiles { get; set; } = 100_000;

    /// <summary>Where programs look for others. Default: the usual folders of a Linux system.</summary>
    public string ProgramPath { get; set; } = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /// <summary>Whom programs run as: a name, or numbers as uid or uid:gid; only where the host runs as root. Empty,
    /// the default: as the host.</summary>
    public string ProgramUser { get; set; } = "";

    /// <summary>Bytes that a program may write to memory of its own, 0 to 1 TiB. Default 0: no limit but the
    /// machine's.</summary>
    [Range(0, 1L << 40)]
    public long ProgramMemory { get; set; }

    /// <summary>Files that a program may have open, 16 to 1 Mi. Default 1,024.</summary>
    [Range(16, 1 << 20)]
    public int ProgramDescriptors { get; set; } = 1_024;
}
