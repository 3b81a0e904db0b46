using CamCube;
using CamCube.FrontEnds.Http;

namespace NotesSample;

/// <summary>Keeps notes in the memory of its server.</summary>
[CamCubeService(0x7005, "notes")]
public sealed class NotesService : CamCubeService
{
    private readonly Dictionary<string, Note> _notes = new(StringComparer.Ordinal);
    private long _versions;

    /// <summary>A note; default: there is none.</summary>
    public Note Read(string name) => _notes.GetValueOrDefault(name);

    /// <summary>Keeps a note. Null: it is too long, or its sender has gone away.</summary>
    public async ValueTask<string?> WriteAsync((string Name, RequestBody Body) note) =>
        await note.Body.ReadAllAsync(65_536) is { } text
            ? (_notes[note.Name] = new Note($"{++_versions}", text)).Version
            : null;
}
