using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace CamCube.Tool.Checks;

/// <summary>
/// Scans an assembly for what the analyzers say of its sources (docs/analyzers.md), but CC0003, CC0004 and CC0010. It
/// reads metadata and instructions and runs nothing, so an assembly of anybody may be given to it. What it cannot see:
/// reflection, and what the assemblies do that this one calls. Any thread.
/// </summary>
public static class ServiceChecker
{
    /// <summary>Scans one file.</summary>
    /// <exception cref="BadAssemblyException">It is not there, or no assembly.</exception>
    public static CheckResult Check(string file, BannedList? list = null)
    {
        if (!File.Exists(file))
        {
            throw new BadAssemblyException(
                Directory.Exists(file) ? $"{file} is a folder; name a .dll file." : $"there is no file {file}."
            );
        }

        try
        {
            using FileStream stream = File.OpenRead(file);
            using var assembly = new PEReader(stream);
            if (!assembly.HasMetadata || !assembly.GetMetadataReader().IsAssembly)
            {
                throw new BadAssemblyException($"{file} is no .NET assembly.");
            }

            using SourceLines lines = SourceLines.Open(assembly, file);
            return new Scan(assembly, lines, list ?? BannedList.Standard).Run(file);
        }
        catch (Exception e)
            when (e
                    is BadImageFormatException
                        or InvalidOperationException
                        or InvalidCastException
                        or ArgumentException
                        or OverflowException
                        or NullReferenceException // of the metadata reader, for damaged tables
            )
        {
            throw new BadAssemblyException($"{file} is no .NET assembly, or a damaged one.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new BadAssemblyException($"{file} cannot be read: {e.Message}");
        }
    }

    private sealed class Scan(PEReader assembly, SourceLines lines, BannedList list)
    {
        private readonly MetadataReader _reader = assembly.GetMetadataReader();
        private readonly List<Breach> _breaches = [];

        public CheckResult Run(string file)
        {
            var names = new UsedNames(_reader);
            var declarations = new DeclarationScan(_reader, names);
            int methods = 0;
            foreach (MethodDefinitionHandle handle in _reader.MethodDefinitions)
            {
                MethodDefinition method = _reader.GetMethodDefinition(handle);
                if (method.RelativeVirtualAddress != 0)
                {
                    methods++;
                    BlobReader il = assembly.GetMethodBody(method.RelativeVirtualAddress).GetILReader();
                    Add(handle, new MethodScan(_reader, method, il, names, list), declarations.HasService);
                }
            }

            foreach (var (member, rule, what, advice, place) in declarations.Breaches())
            {
                (string? source, int? line) = place.IsNil ? default : lines.Of(place, 0);
                _breaches.Add(new Breach(rule, source, line, member, 0, "has", what, null, advice));
            }

            return new CheckResult(
                file,
                methods,
                lines.WhyNone,
                [
                    .. _breaches
                        .OrderBy(breach => breach.File is null)
                        .ThenBy(breach => breach.File, StringComparer.Ordinal)
                        .ThenBy(breach => breach.Line ?? 0),
                ]
            );
        }

        private void Add(MethodDefinitionHandle method, MethodScan scan, bool hasService)
        {
            foreach (
                (int offset, string rule, ILOpCode code, UsedName used, BannedMember why) in scan.Breaches(hasService)
            )
            {
                (string? file, int? line) = lines.Of(method, offset);
                (string use, bool isType) = code switch
                {
                    ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Jmp => ("calls", false),
                    ILOpCode.Newobj => ("creates", true),
                    ILOpCode.Ldftn or ILOpCode.Ldvirtftn => ("refers to", false),
                    ILOpCode.Ldfld or ILOpCode.Ldsfld or ILOpCode.Ldflda or ILOpCode.Ldsflda => ("reads", false),
                    ILOpCode.Stfld or ILOpCode.Stsfld => ("writes", false),
                    _ => ("names", false),
                };
                string name = UserNames.Of(_reader, _reader.GetMethodDefinition(method));
                var breach = new Breach(
                    rule,
                    file,
                    line,
                    name,
                    offset,
                    use,
                    isType ? used.Type : used.Shown,
                    why.Id.Length == 0 ? null : why.Id,
                    why.Advice
                );

                // A statement that uses a member twice is one breach.
                if (_breaches.Count == 0 || line is null || _breaches[^1] with { IlOffset = offset } != breach)
                {
                    _breaches.Add(breach);
                }
            }
        }
    }
}
