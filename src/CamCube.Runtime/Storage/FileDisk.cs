using System.Globalization;
using CamCube.Runtime.Engine;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Runtime.Storage;

/// <summary>
/// The disk of real servers: one folder per server and service below <see cref="ServerOptions.DataFolder"/>, named by coordinate and service
/// id ("0-1-2/0110"), made when it is first written to.
/// </summary>
internal sealed class FileDisk : ServiceDisk
{
    private readonly string _root;
    private readonly string _server;
    private readonly string _folder;
    private readonly List<FileDiskFile> _open = [];

    private FileDisk(ServiceView view, string root)
        : base(view)
    {
        _root = root;
        Coordinate c = view.Coordinate;
        _server = Path.Combine(root, string.Create(CultureInfo.InvariantCulture, $"{c.X}-{c.Y}-{c.Z}"));
        _folder = Path.Combine(_server, view.Slot.Definition.Id.Value.ToString("x4", CultureInfo.InvariantCulture));
    }

    public override bool IsAvailable => true;

    /// <summary>How services get their disk by the settings; null if there is no data folder.</summary>
    public static Func<ServiceView, ServiceDisk>? For(ServerOptions options)
    {
        if (options.DataFolder.Length == 0)
        {
            return null;
        }

        string root = Path.GetFullPath(options.DataFolder);
        return view => new FileDisk(view, root);
    }

    public override ValueTask<DiskResult<IReadOnlyList<string>>> ListAsync() => Start(
        () => new DiskResult<IReadOnlyList<string>>(DiskStatus.Done, List()), static status => new DiskResult<IReadOnlyList<string>>(status, null));

    public override ValueTask<DiskStatus> SyncAsync() => StartStatus(() =>
    {
        // A folder that was made is a name in the one above.
        if (Directory.Exists(_folder))
        {
            FolderSync.Sync(_folder);
            FolderSync.Sync(_server);
            FolderSync.Sync(_root);
        }
    });

    public override void Stop()
    {
        base.Stop();
        while (_open.Count > 0)
        {
            _open[^1].Close();
        }
    }

    /// <summary>Starts an operation on a thread of the pool.</summary>
    public ValueTask<T> Start<T>(Func<T> work, Func<DiskStatus, T> failed, Action<T>? unwanted = null)
    {
        Pending<T> pending = Begin(failed(DiskStatus.Stopped));
        if (pending.IsPending)
        {
            new DiskWork<T>(View.Runtime, pending, work, failed, unwanted).Start();
        }

        return pending.Task;
    }

    /// <summary>Starts an operation that gives nothing.</summary>
    public ValueTask<DiskStatus> StartStatus(Action work) => Start(
        () =>
        {
            work();
            return DiskStatus.Done;
        },
        static status => status);

    public void Forget(FileDiskFile file) => _open.Remove(file);

    protected override async ValueTask<DiskResult<IDiskFile>> Open(string name, bool create)
    {
        string path = Path.Combine(_folder, name);
        DiskResult<SafeFileHandle> opened = await Start(
            () => new DiskResult<SafeFileHandle>(DiskStatus.Done, OpenHandle(path, create)),
            status => new DiskResult<SafeFileHandle>(create && status == DiskStatus.NotFound ? DiskStatus.Failed : status, null),
            static late => late.Value?.Dispose()).ConfigureAwait(false);
        if (opened.Value is not { } handle)
        {
            return new DiskResult<IDiskFile>(opened.Status, null);
        }

        var file = new FileDiskFile(this, name, handle);
        if (View.IsStopped)
        {
            handle.Dispose();
            return new DiskResult<IDiskFile>(DiskStatus.Stopped, null);
        }

        _open.Add(file);
        return new DiskResult<IDiskFile>(DiskStatus.Done, file);
    }

    protected override ValueTask<DiskStatus> Rename(string name, string newName) =>
        StartStatus(() => File.Move(Path.Combine(_folder, name), Path.Combine(_folder, newName), overwrite: true));

    protected override ValueTask<DiskStatus> Delete(string name) => StartStatus(() =>
    {
        string path = Path.Combine(_folder, name);
        if (!File.Exists(path))
        {
            throw new FileNotFoundException(null, path);
        }

        File.Delete(path);
    });

    private SafeFileHandle OpenHandle(string path, bool create)
    {
        if (create)
        {
            Directory.CreateDirectory(_folder);
        }

        return File.OpenHandle(
            path, create ? FileMode.OpenOrCreate : FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
    }

    private string[] List() => Directory.Exists(_folder)
        ? [.. Directory.EnumerateFiles(_folder).Select(static path => Path.GetFileName(path)).Where(static name => DiskNames.IsValid(name))
            .Order(StringComparer.Ordinal)]
        : [];
}
