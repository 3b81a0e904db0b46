using System.Globalization;

namespace CamCube.Testbed;

/// <summary>
/// File systems of the servers' state folders, one for each, of a fixed size, in memory: what a server writes stays
/// when its process is killed, and a server can run out of room without the others. Made before the processes, which
/// see only what is mounted by then.
/// </summary>
/// <param name="plan">The testbed.</param>
public sealed class TestbedDisks(TestbedPlan plan)
{
    private const string BallastName = "ballast";
    private const int Chunk = 1 << 20;

    // Of /proc/mounts, in which spaces and the like are escaped; names of testbeds have none.
    private const string Mounts = "/proc/mounts";

    private readonly TorusShape _shape = plan.Torus();

    /// <summary>Mounts them, if the plan has any.</summary>
    public void Make()
    {
        if (plan.DiskBytes == 0)
        {
            return;
        }

        string size = string.Create(CultureInfo.InvariantCulture, $"size={plan.DiskBytes},mode=700");
        for (int rank = 0; rank < _shape.Count; rank++)
        {
            string folder = FolderOf(rank);
            Directory.CreateDirectory(folder);
            Programs.Run("mount", ["-t", "tmpfs", "-o", size, plan.Name, folder]);
        }
    }

    /// <summary>Unmounts what is mounted, with all that is in there.</summary>
    public void Remove()
    {
        if (plan.DiskBytes == 0)
        {
            return;
        }

        HashSet<string> mounted = [.. File.ReadLines(Mounts).Select(line => line.Split(' ')[1])];
        foreach (string folder in Enumerable.Range(0, _shape.Count).Select(FolderOf).Where(mounted.Contains))
        {
            Programs.Run("umount", [folder]);
        }
    }

    /// <summary>Takes all room that a server has left.</summary>
    /// <exception cref="TestbedException">The plan has no disks.</exception>
    public void Fill(int rank)
    {
        if (plan.DiskBytes == 0)
        {
            throw new TestbedException($"testbed '{plan.Name}' has no disks of its own; 'up --disk SIZE' makes them.");
        }

        byte[] zeros = new byte[Chunk];
        using var ballast = new FileStream(BallastOf(rank), FileMode.Append, FileAccess.Write, FileShare.None, 0);
        for (int length = Chunk; length > 0; )
        {
            try
            {
                ballast.Write(zeros, 0, length);
            }
            catch (IOException)
            {
                // No room for so much.
                length /= 2;
            }
        }
    }

    /// <summary>Gives it back.</summary>
    public void Empty(int rank) => File.Delete(BallastOf(rank));

    private string FolderOf(int rank) => TestbedStore.StateFolderOf(plan, _shape.At(rank));

    private string BallastOf(int rank) => Path.Combine(FolderOf(rank), BallastName);
}
