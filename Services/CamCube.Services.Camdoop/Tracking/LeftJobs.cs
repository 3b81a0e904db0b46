using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>Looks for jobs that nobody leads, as all that knew of them have died, and forgets the oldest of those that
/// are over. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="options">Settings.</param>
/// <param name="files">Has what is kept of jobs.</param>
/// <param name="isOverAsync">Asks for a job, which has it led, and whether it is over.</param>
internal sealed class LeftJobs(
    IServer server,
    CamdoopOptions options,
    Dependency<IFiles> files,
    Func<ulong, ValueTask<bool>> isOverAsync
)
{
    private readonly JobBook _book = new(files);
    private readonly HashSet<ulong> _over = [];
    private long _lookNanos;
    private bool _isLooking;

    /// <summary>Looks, if it is time to, and this server's to do.</summary>
    public void Look()
    {
        if (
            server.NowNanos >= _lookNanos
            && !_isLooking
            && files.IsAvailable
            && server.Topology.HasKeys
            && server.Topology.IsRoot(Key.OfName("camdoop jobs"))
        )
        {
            _isLooking = true;
            server.Loop.Run(async () =>
            {
                await LookAsync();
                (_isLooking, _lookNanos) = (false, server.NowNanos + (long)options.LookEvery.TotalNanoseconds);
            });
        }
    }

    private async ValueTask LookAsync()
    {
        if (await _book.ListAsync() is not { } numbers)
        {
            return;
        }

        _over.IntersectWith(numbers);
        int kept = 0;
        foreach (ulong number in numbers)
        {
            if (!_over.Contains(number) && await isOverAsync(number))
            {
                _over.Add(number);
            }

            if (++kept > options.KeptJobs && _over.Contains(number) && files.IsAvailable)
            {
                await files.Value.DeleteAsync(JobBook.DirectoryOf(number), recursive: true);
            }
        }
    }
}
