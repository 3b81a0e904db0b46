using System.Text.Json;
using CamCube.Services.Files;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>The file store as the commands ask it: over its HTTP front end (docs/files.md). What goes wrong is a
/// <see cref="ToolException"/>.</summary>
/// <param name="root">Where the front end is.</param>
internal sealed class FilesClient(Uri root) : IDisposable
{
    /// <summary>The name of the front end.</summary>
    public const string FrontEnd = "files";

    /// <summary>What is said where nobody has it.</summary>
    public const string HasNone =
        "answers for the file store now; a host has it with --Services:files:Enabled=true --Services:kv:Enabled=true "
        + "--DataFolder=FOLDER.";

    // Behind the last byte of a file, and while a directory of many is deleted.
    private static readonly TimeSpan LongestWork = TimeSpan.FromMinutes(5);
    private readonly FrontEndClient _http = new(root);

    /// <summary>What there is of a path, and where it lies.</summary>
    public async Task<FileFacts> DescribeAsync(string path, CancellationToken cancel) =>
        Read<FileFacts>(await AskAsync(HttpMethod.Get, path, "?facts", cancel));

    /// <summary>The same; null: there is nothing.</summary>
    public async Task<FileFacts?> TryDescribeAsync(string path, CancellationToken cancel)
    {
        try
        {
            return await DescribeAsync(path, cancel);
        }
        catch (ToolException e) when (e.ExitCode == ExitCode.Failed)
        {
            return null;
        }
    }

    /// <summary>All that is in a directory, by name.</summary>
    public async Task<IReadOnlyList<FileFacts>> ListAsync(string directory, CancellationToken cancel)
    {
        Dictionary<string, FileFacts> all = [];
        string? next = null;
        do
        {
            string cursor = next is null ? "" : $"?cursor={next}";
            FilePageAnswer page = Read<FilePageAnswer>(await AskAsync(HttpMethod.Get, directory, cursor, cancel));
            foreach (FileFacts one in page.Entries ?? throw NoStore())
            {
                all[one.Path] = one;
            }

            next = page.Next;
        } while (next is not null);
        return [.. all.Values.OrderBy(static one => one.Name, StringComparer.Ordinal)];
    }

    /// <summary>All that a pattern fits, by name; of a path without patterns what is there.</summary>
    /// <exception cref="ToolException">There is nothing.</exception>
    public async Task<IReadOnlyList<FileFacts>> FindAsync(string path, CancellationToken cancel)
    {
        if (!FilePattern.IsPattern(path))
        {
            return [await DescribeAsync(path, cancel)];
        }

        if (!FilePattern.TryParse(path, out FilePattern pattern, out string? wrong))
        {
            throw new ToolException(ExitCode.Usage, $"{path}: {wrong}");
        }

        List<FileFacts> at = [await DescribeAsync(FilePath.Root, cancel)];
        for (int depth = 0; depth < pattern.Depth; depth++)
        {
            List<FileFacts> next = [];
            foreach (FileFacts directory in at.Where(static one => one.IsDirectory))
            {
                if (pattern.LiteralAt(depth) is { } name)
                {
                    FileFacts? found = await TryDescribeAsync(FilePath.Join(directory.Path, name), cancel);
                    next.AddRange(found is null ? [] : [found]);
                }
                else
                {
                    IReadOnlyList<FileFacts> all = await ListAsync(directory.Path, cancel);
                    next.AddRange(all.Where(one => pattern.Fits(depth, one.Name)));
                }
            }

            at = next;
        }

        return at.Count > 0 ? at : throw new ToolException(ExitCode.Failed, $"nothing fits {path}.");
    }

    /// <summary>All files below a directory, by path; the file itself if it is one.</summary>
    public async Task<IReadOnlyList<FileFacts>> FilesBelowAsync(FileFacts at, CancellationToken cancel)
    {
        if (!at.IsDirectory)
        {
            return [at];
        }

        List<FileFacts> all = [];
        foreach (FileFacts one in await ListAsync(at.Path, cancel))
        {
            all.AddRange(await FilesBelowAsync(one, cancel));
        }

        return all;
    }

    /// <summary>Makes a file.</summary>
    /// <param name="path">Where.</param>
    /// <param name="content">Its bytes.</param>
    /// <param name="moving">Whom <paramref name="content"/> tells how far it is.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public async Task<FileFacts> PutAsync(
        string path,
        HttpContent content,
        MovingBytes moving,
        CancellationToken cancel
    ) =>
        Read<FileFacts>(
            await _http.AskAsync(HttpMethod.Put, TargetOf(path), content, null, LongestWork, moving, null, cancel)
        );

    /// <summary>Reads a file.</summary>
    /// <param name="path">Where.</param>
    /// <param name="into">Where to; disposed of at the end.</param>
    /// <param name="moving">Is told how far it is.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public Task<KeyValueReply> GetAsync(
        string path,
        Func<KeyValueReply, Stream> into,
        MovingBytes moving,
        CancellationToken cancel
    ) => _http.AskAsync(HttpMethod.Get, TargetOf(path), null, null, TimeSpan.Zero, moving, into, cancel);

    /// <summary>Makes a directory.</summary>
    public async Task<FileFacts> MakeDirectoryAsync(string path, CancellationToken cancel) =>
        Read<FileFacts>(await AskAsync(HttpMethod.Put, path.TrimEnd('/') + "/", "", cancel));

    /// <summary>Deletes a file or a directory.</summary>
    public Task DeleteAsync(string path, bool recursive, CancellationToken cancel) =>
        AskAsync(HttpMethod.Delete, path, recursive ? "?recursive" : "", cancel);

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    private static string TargetOf(string path) =>
        "/files" + string.Join('/', path.Split('/').Select(Uri.EscapeDataString));

    private Task<KeyValueReply> AskAsync(HttpMethod method, string path, string query, CancellationToken cancel) =>
        _http.AskAsync(method, TargetOf(path) + query, null, null, LongestWork, null, null, cancel);

    private static T Read<T>(KeyValueReply reply)
    {
        try
        {
            return JsonSerializer.Deserialize<T>(reply.Body, ToolJson.Options) ?? throw NoStore();
        }
        catch (JsonException)
        {
            throw NoStore();
        }
    }

    private static ToolException NoStore() =>
        new(ExitCode.Unavailable, "what answered is no file store: it sent no list or facts in JSON.");
}
