using System.Globalization;
using CamCube.Linux;
using CamCube.Runtime.Workers;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Runtime.Storage;

/// <summary>
/// The disk of real servers: one folder per server and service below the data folder, named by coordinate and service
/// id ("0-1-2/0110"), made when it is first written to.
/// </summary>
internal sealed class FileDisk : ServiceDisk
{
    private readonly ServerFolder _server;
    private readonly string _folder;
    private readonly HashSet<FileDiskFile> _open = [];

    // Whoever reads one thing after the other, all of which is in memory, would never let anybody else have a turn.
    private const int MostInARow = 32;
    private int _inARow;

    public FileDisk(IWorkOwner owner, ServerFolder server)
        : base(owner)
    {
        _server = server;
        _folder = Path.Combine(server.Path, owner.Id.Value.ToString("x4", CultureInfo.InvariantCulture));
    }

    public override bool IsAvailable => true;

    public override ValueTask<DiskResult<IReadOnlyList<DiskEntry>>> ListAsync() =>
        FolderJob<DiskResult<IReadOnlyList<DiskEntry>>>.Start(
            Owner,
            () => new DiskResult<IReadOnlyList<DiskEntry>>(DiskStatus.Done, List()),
            static status => new DiskResult<IReadOnlyList<DiskEntry>>(status, null)
        );

    public override ValueTask<DiskResult<DiskSpace>> GetSpaceAsync() =>
        FolderJob<DiskResult<DiskSpace>>.Start(
            Owner,
            () =>
            {
                _server.Claim(create: false);
                return new DiskResult<DiskSpace>(DiskStatus.Done, FolderSpace.Of(_server.Path));
            },
            static status => new DiskResult<DiskSpace>(status, default)
        );

    public override ValueTask<DiskStatus> SyncAsync() =>
        StartStatus(() =>
        {
            // A folder that was made is a name in the one above.
            if (Directory.Exists(_folder))
            {
                FolderSync.Sync(_folder);
                FolderSync.Sync(_server.Path);
                FolderSync.Sync(_server.Root);
            }
        });

    public override void Stop()
    {
        foreach (FileDiskFile file in _open.ToArray())
        {
            file.Close();
        }
    }

    /// <summary>Whether the loop may look whether bytes are in memory, and take them itself: waking a thread for them,
    /// and being woken by it, costs several times what they do. Every so often it may not.</summary>
    public bool MayReadAtOnce()
    {
        _inARow = (_inARow + 1) % MostInARow;
        return _inARow != 0 && !Owner.IsStopped;
    }

    public void Forget(FileDiskFile file) => _open.Remove(file);

    protected override async ValueTask<DiskResult<IDiskFile>> Open(string name, bool create)
    {
        string path = Path.Combine(_folder, name);
        DiskResult<SafeFileHandle> opened = await FolderJob<DiskResult<SafeFileHandle>>
            .Start(
                Owner,
                () => new DiskResult<SafeFileHandle>(DiskStatus.Done, OpenHandle(path, create)),
                status => new DiskResult<SafeFileHandle>(
                    create && status == DiskStatus.NotFound ? DiskStatus.Failed : status,
                    null
                ),
                static late => late.Value?.Dispose()
            )
            .ConfigureAwait(false);
        if (opened.Value is not { } handle)
        {
            return new DiskResult<IDiskFile>(opened.Status, null);
        }

        var file = new FileDiskFile(this, name, handle);
        if (Owner.IsStopped)
        {
            handle.Dispose();
            return new DiskResult<IDiskFile>(DiskStatus.Stopped, null);
        }

        _open.Add(file);
        return new DiskResult<IDiskFile>(DiskStatus.Done, file);
    }

    protected override ValueTask<DiskStatus> Rename(string name, string newName) =>
        StartStatus(() =>
        {
            _server.Claim(create: false);
            File.Move(Path.Combine(_folder, name), Path.Combine(_folder, newName), overwrite: true);
        });

    protected override ValueTask<DiskStatus> Delete(string name) =>
        StartStatus(() =>
        {
            _server.Claim(create: false);
            string path = Path.Combine(_folder, name);
            if (!File.Exists(path))
            {
                throw new FileNotFoundException(null, path);
            }

            File.Delete(path);
        });

    private ValueTask<DiskStatus> StartStatus(Action work) =>
        FolderJob<DiskStatus>.Start(
            Owner,
            () =>
            {
                work();
                return DiskStatus.Done;
            },
            static status => status
        );

    private SafeFileHandle OpenHandle(string path, bool create)
    {
        _server.Claim(create);
        if (create)
        {
            Directory.CreateDirectory(_folder);
        }

        return File.OpenHandle(
            path,
            create ? FileMode.OpenOrCreate : FileMode.Open,
            FileAccess.ReadWrite,
            FileShare.ReadWrite | FileShare.Delete
        );
    }

    private DiskEntry[] List()
    {
        _server.Claim(create: false);
        return Directory.Exists(_folder)
            ?
            [
                .. new DirectoryInfo(_folder)
                    .EnumerateFiles()
                    .Where(static file => DiskNames.IsValid(file.Name))
                    .Select(static file => new DiskEntry(file.Name, file.Length))
                    .OrderBy(static file => file.Name, StringComparer.Ordinal),
            ]
            : [];
    }
}
