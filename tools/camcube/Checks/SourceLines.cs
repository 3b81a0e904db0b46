using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace CamCube.Tool.Checks;

/// <summary>File and line of an instruction, from portable debug information inside the assembly or beside
/// it.</summary>
internal sealed class SourceLines : IDisposable
{
    private readonly MetadataReaderProvider? _provider;
    private readonly MetadataReader? _reader;

    private SourceLines(MetadataReaderProvider? provider, string? whyNone) =>
        (_provider, _reader, WhyNone) = (provider, provider?.GetMetadataReader(), whyNone);

    /// <summary>Null, or why there are no lines.</summary>
    public string? WhyNone { get; }

    /// <summary>Opens the debug information of an assembly, if there is any that belongs to it.</summary>
    public static SourceLines Open(PEReader assembly, string file)
    {
        string beside = Path.ChangeExtension(file, ".pdb");
        string name = Path.GetFileName(beside);
        try
        {
            if (assembly.TryOpenAssociatedPortablePdb(file, Beside, out MetadataReaderProvider? provider, out _))
            {
                return new SourceLines(provider, null);
            }
        }
        catch (Exception e) when (e is BadImageFormatException or IOException or InvalidDataException)
        {
            return new SourceLines(null, $"{name} cannot be read: {e.Message}");
        }

        return new SourceLines(
            null,
            File.Exists(beside)
                ? $"{name} beside it is of another build, or no portable one"
                : $"there is no {name} beside it, and no debug information inside"
        );

        // The assembly remembers where it was built; only what lies beside it now is looked at.
        Stream? Beside(string path) =>
            Path.GetFileName(path).Equals(name, StringComparison.OrdinalIgnoreCase) && File.Exists(beside)
                ? File.OpenRead(beside)
                : null;
    }

    /// <summary>The statement that an instruction belongs to, or nulls.</summary>
    public (string? File, int? Line) Of(MethodDefinitionHandle method, int ilOffset)
    {
        if (_reader is null)
        {
            return default;
        }

        (string? File, int? Line) found = default;
        MethodDebugInformation information = _reader.GetMethodDebugInformation(method.ToDebugInformationHandle());
        foreach (SequencePoint point in information.GetSequencePoints())
        {
            if (point.Offset > ilOffset && found.Line is not null)
            {
                break;
            }

            if (!point.IsHidden)
            {
                found = (_reader.GetString(_reader.GetDocument(point.Document).Name), point.StartLine);
            }
        }

        return found;
    }

    public void Dispose() => _provider?.Dispose();
}
