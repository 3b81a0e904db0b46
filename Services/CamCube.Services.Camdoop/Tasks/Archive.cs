using System.Formats.Tar;
using System.IO.Compression;
using System.Text;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Unpacks archives of jobs, which may be anybody's: zip and jar, tar, and tar packed by gzip, as their first
/// bytes say. Nothing is written beside the folder, and no more than there may be.</summary>
/// <param name="folder">Where to; made.</param>
/// <param name="mostBytes">Bytes of all that is in it.</param>
/// <param name="mostFiles">Files, folders and links in it.</param>
internal sealed class Archive(string folder, long mostBytes, int mostFiles)
{
    private const int TarMagicAt = 257;
    private const int MostName = 255;
    private const int MostPath = 2_000;
    private const UnixFileMode Readable =
        UnixFileMode.UserRead
        | UnixFileMode.UserWrite
        | UnixFileMode.UserExecute
        | UnixFileMode.GroupRead
        | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead
        | UnixFileMode.OtherExecute;

    private readonly string _root = Path.GetFullPath(folder) + Path.DirectorySeparatorChar;
    private readonly byte[] _piece = new byte[64 << 10];
    private readonly List<(string Path, string Target)> _links = [];

    /// <summary>Bytes that were unpacked.</summary>
    public long Bytes { get; private set; }

    /// <summary>Files, folders and links that were.</summary>
    public int Files { get; private set; }

    /// <summary>Unpacks one.</summary>
    /// <param name="path">The archive.</param>
    /// <returns>What is wrong with it, in words that follow its name; null: nothing.</returns>
    /// <exception cref="IOException">The disk.</exception>
    public string? Unpack(string path)
    {
        Directory.CreateDirectory(folder);
        using FileStream file = File.OpenRead(path);
        byte[] head = new byte[TarMagicAt + 5];
        int length = file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
        file.Position = 0;
        try
        {
            if (head.AsSpan(0, length).StartsWith("PK"u8))
            {
                UnpackZip(file);
            }
            else if (head is [0x1F, 0x8B, ..])
            {
                using var gzip = new GZipStream(file, CompressionMode.Decompress);
                UnpackTar(gzip);
            }
            else if (head.AsSpan(TarMagicAt).StartsWith("ustar"u8))
            {
                UnpackTar(file);
            }
            else
            {
                return "is no archive: a zip, jar, tar, tar.gz or tgz is";
            }

            MakeLinks();
            return null;
        }
        catch (BadArchiveException e)
        {
            return e.Message;
        }
        catch (Exception e) when (e is EndOfStreamException or not (IOException or UnauthorizedAccessException))
        {
            // What reads them throws what it likes at bytes that are none: overflows, too.
            return "is broken";
        }
    }

    private void UnpackZip(Stream from)
    {
        using var zip = new ZipArchive(from, ZipArchiveMode.Read);
        foreach (ZipArchiveEntry entry in zip.Entries)
        {
            string path = Enter(entry.FullName);
            if (entry.FullName.EndsWith('/'))
            {
                MakeFolder(path);
                continue;
            }

            using Stream bytes = entry.Open();
            Write(path, bytes);
        }
    }

    private void UnpackTar(Stream from)
    {
        using var tar = new TarReader(from);
        while (tar.GetNextEntry() is { } entry)
        {
            switch (entry.EntryType)
            {
                case TarEntryType.Directory:
                    MakeFolder(Enter(entry.Name));
                    break;
                case TarEntryType.RegularFile or TarEntryType.V7RegularFile or TarEntryType.ContiguousFile:
                    Write(Enter(entry.Name), entry.DataStream ?? Stream.Null);
                    break;
                case TarEntryType.SymbolicLink:
                    AddLink(Enter(entry.Name), entry.LinkName);
                    break;
                case TarEntryType.HardLink:
                    // What it is to is in the archive, and before it.
                    string link = Enter(entry.Name);
                    AddLink(link, Path.GetRelativePath(Path.GetDirectoryName(link)!, PathOf(entry.LinkName)));
                    break;
                case TarEntryType.GlobalExtendedAttributes:
                    break;
                default:
                    throw new BadArchiveException($"has {entry.Name}, which is neither file, folder nor link");
            }
        }
    }

    // Where an entry goes to.
    private string Enter(string name)
    {
        if (++Files > mostFiles)
        {
            throw new BadArchiveException(
                $"has more than {mostFiles:N0} files (CamCube:Services:camdoop:MostArchiveFiles)"
            );
        }

        return PathOf(name);
    }

    private string PathOf(string name)
    {
        if (
            Encoding.UTF8.GetByteCount(name) > MostPath
            || name.Split('/').Any(static n => Encoding.UTF8.GetByteCount(n) > MostName)
        )
        {
            throw new BadArchiveException("has a file with a name that is too long for a disk");
        }

        string path = name.Contains('\0') ? "" : Path.GetFullPath(Path.Combine(_root, name));
        return
            Path.IsPathRooted(name) || !(path + Path.DirectorySeparatorChar).StartsWith(_root, StringComparison.Ordinal)
            ? throw new BadArchiveException($"has {name}, which would lie outside of its folder")
            : path;
    }

    private void Write(string path, Stream bytes)
    {
        if (path.Length < _root.Length || Directory.Exists(path) || File.Exists(path))
        {
            throw new BadArchiveException($"has {Path.GetRelativePath(_root, path)} twice");
        }

        MakeFolder(Path.GetDirectoryName(path)!);
        using (FileStream file = File.Create(path))
        {
            int length;
            while ((length = bytes.Read(_piece)) > 0)
            {
                if ((Bytes += length) > mostBytes)
                {
                    throw new BadArchiveException(
                        $"has more than {mostBytes:N0} bytes, with what the job's other archives have "
                            + "(CamCube:Services:camdoop:MostArchive)"
                    );
                }

                file.Write(_piece.AsSpan(0, length));
            }
        }

        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, Readable);
        }
    }

    private void MakeFolder(string path)
    {
        for (string at = path; at.Length >= _root.Length; at = Path.GetDirectoryName(at)!)
        {
            if (File.Exists(at))
            {
                throw new BadArchiveException($"has {Path.GetRelativePath(_root, at)} as a file and as a folder");
            }
        }

        Directory.CreateDirectory(path);
    }

    private void AddLink(string path, string target)
    {
        string end = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(path)!, target));
        if (
            Path.IsPathRooted(target)
            || !(end + Path.DirectorySeparatorChar).StartsWith(_root, StringComparison.Ordinal)
        )
        {
            throw new BadArchiveException(
                $"has a link {Path.GetRelativePath(_root, path)} to {target}, which lies outside of its folder"
            );
        }

        _links.Add((path, target));
    }

    // Last, so that nothing is ever written through one.
    private void MakeLinks()
    {
        foreach ((string path, string target) in _links)
        {
            // A link may lie below another one's name: that would be written through.
            string parent = Path.GetDirectoryName(path)!;
            for (string at = parent; at.Length >= _root.Length; at = Path.GetDirectoryName(at)!)
            {
                if (new FileInfo(at).LinkTarget is not null)
                {
                    throw new BadArchiveException($"has a link within a link, {Path.GetRelativePath(_root, path)}");
                }
            }

            if (Path.Exists(path) || new FileInfo(path).LinkTarget is not null)
            {
                throw new BadArchiveException($"has {Path.GetRelativePath(_root, path)} twice");
            }

            MakeFolder(parent);
            File.CreateSymbolicLink(path, target);
        }

        _links.Clear();
    }

    private sealed class BadArchiveException(string message) : Exception(message);
}
