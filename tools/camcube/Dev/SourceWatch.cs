namespace CamCube.Tool.Dev;

/// <summary>
/// Notices that sources have changed, by looking at times and lengths. It needs no notifications of the system, which
/// run out and do not come through mounted folders; a project has some hundred files, and looking at them takes about a
/// millisecond.
/// </summary>
internal sealed class SourceWatch(DevOptions options, TimeProvider time)
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(200);
    private Dictionary<string, (DateTime Written, long Length)> _seen = [];

    /// <summary>Takes what is there now as known.</summary>
    public void Look() => _seen = Read();

    /// <summary>Waits for a change since it was last looked, and until nothing changes any more for a moment: editors
    /// write several files, and some a file in several steps.</summary>
    /// <returns>The files that were changed, added or removed.</returns>
    public async Task<IReadOnlyList<string>> ChangeAsync(CancellationToken cancel)
    {
        Dictionary<string, (DateTime, long)> before = _seen,
            last = Read();
        while (true)
        {
            await Task.Delay(Period, time, cancel);
            Dictionary<string, (DateTime, long)> now = Read();
            if (Differing(last, now).Count == 0 && Differing(before, now) is { Count: > 0 } changed)
            {
                _seen = now;
                return changed;
            }

            last = now;
        }
    }

    private static List<string> Differing(
        Dictionary<string, (DateTime, long)> before,
        Dictionary<string, (DateTime, long)> now
    ) =>
        [
            .. now.Where(file => !before.TryGetValue(file.Key, out var old) || old != file.Value)
                .Select(file => file.Key)
                .Concat(before.Keys.Where(file => !now.ContainsKey(file)))
                .Order(StringComparer.Ordinal),
        ];

    private Dictionary<string, (DateTime, long)> Read()
    {
        Dictionary<string, (DateTime, long)> files = new(StringComparer.Ordinal);
        try
        {
            foreach (FileInfo file in SourceFiles.FoldersOf(options.Project).SelectMany(SourceFiles.Of))
            {
                files[file.FullName] = (file.LastWriteTimeUtc, file.Length);
            }

            if (options.Settings is { } settings && new FileInfo(settings) is { Exists: true } one)
            {
                files[settings] = (one.LastWriteTimeUtc, one.Length);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A file or folder that is being replaced: the next look sees it whole.
        }

        return files;
    }
}
