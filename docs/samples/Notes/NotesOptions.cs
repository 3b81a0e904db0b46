using CamCube.FrontEnds.Http;

namespace NotesSample;

/// <summary>Settings: <c>CamCube:FrontEnds:notes</c>.</summary>
public sealed class NotesOptions : HttpFrontEndOptions;
