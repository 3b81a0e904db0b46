using CamCube.Services.Camdoop;
using CamCube.Services.Files;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>What options say of files for the working folder: <c>a.py</c>, <c>/x/a.py#b.py</c>,
/// <c>hdfs:///x/a.py#b.py</c>.</summary>
internal static class StreamingFiles
{
    private const string LocalScheme = "file:";

    /// <summary>-file.</summary>
    public static void AddLocal(StreamingDraft draft, StreamingValue value) =>
        Add(draft, value, value.Text, isArchive: false, isStored: false);

    /// <summary>-files.</summary>
    public static void AddFiles(StreamingDraft draft, StreamingValue value) => AddAll(draft, value, isArchive: false);

    /// <summary>-archives.</summary>
    public static void AddArchives(StreamingDraft draft, StreamingValue value) => AddAll(draft, value, isArchive: true);

    /// <summary>-cacheFile.</summary>
    public static void AddCached(StreamingDraft draft, StreamingValue value) =>
        Add(draft, value, value.Text, isArchive: false, isStored: true);

    /// <summary>-cacheArchive.</summary>
    public static void AddCachedArchive(StreamingDraft draft, StreamingValue value) =>
        Add(draft, value, value.Text, isArchive: true, isStored: true);

    /// <summary>-assembly.</summary>
    public static void AddAssembly(StreamingDraft draft, StreamingValue value)
    {
        string name = FilePath.NameOf(value.Text.TrimEnd('/'));
        if (FilePath.WrongOfName(name) is { } wrong)
        {
            throw value.Wrong($"'{name}' cannot be the name of a file: {wrong}");
        }

        if (StorePath.SchemeOf(value.Text) is { } scheme && scheme != LocalScheme)
        {
            draft.Job = draft.Job with { Assembly = StorePath.Of(value.Text, draft.Home) };
        }
        else
        {
            draft.Assembly = new StreamingUpload(WithoutScheme(value.Text), name, IsArchive: false);
        }
    }

    private static void AddAll(StreamingDraft draft, StreamingValue value, bool isArchive)
    {
        foreach (string one in value.Text.Split(','))
        {
            bool isStored = StorePath.SchemeOf(one) is { } scheme && scheme != LocalScheme;
            Add(draft, value, one, isArchive, isStored);
        }
    }

    private static void Add(StreamingDraft draft, StreamingValue value, string text, bool isArchive, bool isStored)
    {
        int hash = text.LastIndexOf('#');
        string path = hash < 0 ? text : text[..hash];
        if (path.Length == 0)
        {
            throw value.Wrong("there is a file without a name");
        }

        string name = hash < 0 ? FilePath.NameOf(path.TrimEnd('/')) : text[(hash + 1)..];
        if (FilePath.WrongOfName(name) is { } wrong)
        {
            throw value.Wrong($"'{name}' cannot be a name in the working folder: {wrong}");
        }

        if (isStored)
        {
            AddStored(draft, value, new JobFile(StorePath.Of(path, draft.Home), name) { IsArchive = isArchive });
            return;
        }

        var upload = new StreamingUpload(WithoutScheme(path), name, isArchive);
        if (!draft.Uploads.Contains(upload))
        {
            ThrowIfTaken(draft, value, name);
            draft.Uploads.Add(upload);
        }
    }

    private static void AddStored(StreamingDraft draft, StreamingValue value, JobFile file)
    {
        if (!draft.Files.Contains(file))
        {
            ThrowIfTaken(draft, value, file.Name);
            draft.Files.Add(file);
        }
    }

    private static void ThrowIfTaken(StreamingDraft draft, StreamingValue value, string name)
    {
        if (draft.Uploads.Any(one => one.Name == name) || draft.Files.Any(one => one.Name == name))
        {
            throw value.Wrong($"two files would have the name '{name}' in the working folder; say another with #");
        }
    }

    private static string WithoutScheme(string path)
    {
        string rest = StorePath.SchemeOf(path) is LocalScheme ? path[LocalScheme.Length..] : path;
        return rest == path ? rest : "/" + rest.TrimStart('/');
    }
}
