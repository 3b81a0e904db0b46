using System.Globalization;
using System.Text;
using CamCube.Linux;

namespace CamCube.Runtime.Storage;

/// <summary>
/// Numbers the runs of a real server: microseconds since 1970, but always above those of every earlier run, also where
/// the clock was set back meanwhile. The last number is kept in <c>run</c> of <c>CamCube:StateDirectory</c>; without a
/// folder only for the life of the process. The server's thread only, while no server runs.
/// </summary>
internal sealed class RunJournal(string? folder, TimeProvider time, Action<LinkNews> news)
{
    /// <summary>The last number that a run can have: in the year 2255. A larger one is nobody's.</summary>
    public const ulong Latest = 1UL << 53;

    private const string FileName = "run";
    private ulong? _last;

    /// <summary>The number of a run that begins.</summary>
    /// <exception cref="LinkProviderException">The folder cannot be read or, for the first run of the process, written;
    /// one line in words.</exception>
    public ulong Begin()
    {
        ulong last = _last ?? Read();
        long ticks = Math.Max(0, time.GetUtcNow().UtcTicks - DateTime.UnixEpoch.Ticks);
        ulong run = Math.Max(last + 1, (ulong)ticks / TimeSpan.TicksPerMicrosecond);
        Note(run);
        return run;
    }

    /// <summary>A run took a larger number while it went on: others remembered a later one.</summary>
    public void Note(ulong run)
    {
        if (run > Latest || (_last is { } last && run <= last))
        {
            return;
        }

        bool isFirst = _last is null;
        _last = run;
        try
        {
            Write(run);
        }
        catch (Exception e) when (DiskError.Is(e))
        {
            string text =
                $"CamCube:StateDirectory = '{folder}': the number of this run cannot be kept ({DiskError.Words(e)})";
            if (isFirst)
            {
                throw new LinkProviderException($"{text}.") { MayPass = DiskError.IsFull(e) };
            }

            // As long as the process lives the number is known all the same.
            news(new LinkNews(true, text));
        }
    }

    private void Write(ulong run)
    {
        if (folder is null)
        {
            return;
        }

        byte[] text = Encoding.ASCII.GetBytes(run.ToString(CultureInfo.InvariantCulture) + "\n");
        Directory.CreateDirectory(folder);
        try
        {
            FolderSync.Replace(folder, FileName, text);
        }
        catch (IOException e) when (DiskError.IsFull(e) && Overwrites(folder, text)) { }
    }

    // A full disk keeps nobody from starting: numbers are equally long until 2286, and need no room.
    private static bool Overwrites(string folder, byte[] text)
    {
        try
        {
            return FolderSync.Overwrite(Path.Combine(folder, FileName), text);
        }
        catch (Exception e) when (DiskError.Is(e))
        {
            return false;
        }
    }

    private ulong Read()
    {
        if (folder is null)
        {
            return 0;
        }

        string path = Path.Combine(folder, FileName);
        try
        {
            if (!File.Exists(path))
            {
                return 0;
            }

            return
                ulong.TryParse(
                    File.ReadAllText(path).AsSpan().Trim(),
                    NumberStyles.None,
                    CultureInfo.InvariantCulture,
                    out ulong run
                )
                && run < Latest
                ? run
                : throw new LinkProviderException(
                    $"{path} is not the number of a run; remove the file if the server's clock is right."
                );
        }
        catch (Exception e) when (DiskError.Is(e))
        {
            throw new LinkProviderException($"{path} cannot be read ({DiskError.Words(e)}).");
        }
    }
}
