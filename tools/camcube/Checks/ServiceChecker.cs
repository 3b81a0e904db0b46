using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace CamCube.Tool.Checks;

/// <summary>
/// Scans an assembly for uses of banned members. It reads metadata and instructions and runs nothing, so an assembly of
/// anybody may be given to it. What it cannot see: reflection, and what the assemblies do that this one calls. Any
/// thread.
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
            int methods = 0;
            foreach (MethodDefinitionHandle handle in _reader.MethodDefinitions)
            {
                MethodDefinition method = _reader.GetMethodDefinition(handle);
                if (method.RelativeVirtualAddress == 0)
                {
                    continue;
                }

                methods++;
                BlobReader il = assembly.GetMethodBody(method.RelativeVirtualAddress).GetILReader();
                IlReader.Visit(
                    il,
                    (code, token, offset) => Look(handle, code, MetadataTokens.EntityHandle(token), offset)
                );
            }

            return new CheckResult(
                file,
                methods,
                lines.WhyNone,
                [.. _breaches.OrderBy(breach => breach.File, StringComparer.Ordinal).ThenBy(breach => breach.Line ?? 0)]
            );
        }

        private void Look(MethodDefinitionHandle method, ILOpCode code, EntityHandle used, int offset)
        {
            if (NamesOf(used) is not var (type, member, shown) || list.Find(type, member) is not { } entry)
            {
                return;
            }

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
            var breach = new Breach(file, line, name, offset, use, isType ? type : shown, entry.Id, entry.Advice);

            // A statement that uses a member twice is one breach.
            if (_breaches.Count == 0 || line is null || _breaches[^1] with { IlOffset = offset } != breach)
            {
                _breaches.Add(breach);
            }
        }

        // Only what other assemblies define can be banned: a type of the user's own with a banned name is another type.
        private (string Type, string? Member, string Shown)? NamesOf(EntityHandle handle)
        {
            switch (handle.Kind)
            {
                case HandleKind.MethodSpecification:
                    return NamesOf(_reader.GetMethodSpecification((MethodSpecificationHandle)handle).Method);
                case HandleKind.TypeReference or HandleKind.TypeSpecification:
                    return TypeOf(handle) is { } named ? (named, null, named) : null;
                case HandleKind.MemberReference:
                    MemberReference member = _reader.GetMemberReference((MemberReferenceHandle)handle);
                    if (TypeOf(member.Parent) is not { } type)
                    {
                        return null;
                    }

                    string name = $"{type}.{_reader.GetString(member.Name)}";
                    return (type, member.GetKind() == MemberReferenceKind.Method ? IdOf(type, member) : name, name);
                default:
                    return null;
            }
        }

        private string? TypeOf(EntityHandle handle) =>
            handle.Kind switch
            {
                HandleKind.TypeReference => DocumentationNames.Of(_reader, (TypeReferenceHandle)handle),
                HandleKind.TypeSpecification => OpenTypeOf((TypeSpecificationHandle)handle),
                _ => null,
            };

        // Task<int> is Task`1 in the list; an array or pointer is as banned as its element.
        private string? OpenTypeOf(TypeSpecificationHandle handle)
        {
            BlobReader signature = _reader.GetBlobReader(_reader.GetTypeSpecification(handle).Signature);
            while (true)
            {
                switch (signature.ReadSignatureTypeCode())
                {
                    case SignatureTypeCode.SZArray
                    or SignatureTypeCode.Array
                    or SignatureTypeCode.Pointer
                    or SignatureTypeCode.ByReference
                    or SignatureTypeCode.Pinned:
                    case SignatureTypeCode.GenericTypeInstance:
                        continue;
                    case SignatureTypeCode.TypeHandle:
                        EntityHandle type = signature.ReadTypeHandle();
                        return type.Kind == HandleKind.TypeReference ? TypeOf(type) : null;
                    default:
                        return null;
                }
            }
        }

        private string IdOf(string type, MemberReference method)
        {
            MethodSignature<string> signature = method.DecodeMethodSignature(DocumentationNames.Instance, null);
            string name = _reader.GetString(method.Name).Replace('.', '#');
            string arity = signature.GenericParameterCount == 0 ? "" : $"``{signature.GenericParameterCount}";
            string parameters =
                signature.ParameterTypes.Length == 0 ? "" : $"({string.Join(',', signature.ParameterTypes)})";

            // A property stands in the list by its name alone; those there have no parameters.
            return $"{type}.{name}{arity}{parameters}";
        }
    }
}
