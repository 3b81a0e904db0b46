using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace CamCube.Services.Camdoop.Tests.Assemblies;

/// <summary>An assembly without types that says it was built for some version of the contracts.</summary>
internal static class MadeAssembly
{
    public static byte[] For(Version version)
    {
        var metadata = new MetadataBuilder();
        metadata.AddModule(0, metadata.GetOrAddString("made.dll"), metadata.GetOrAddGuid(default), default, default);
        metadata.AddAssembly(
            metadata.GetOrAddString("made"),
            new Version(1, 0),
            default,
            default,
            default,
            AssemblyHashAlgorithm.None
        );
        metadata.AddAssemblyReference(
            metadata.GetOrAddString(typeof(IMapper).Assembly.GetName().Name!),
            version,
            default,
            default,
            default,
            default
        );
        metadata.AddTypeDefinition(
            default,
            default,
            metadata.GetOrAddString("<Module>"),
            default,
            MetadataTokens.FieldDefinitionHandle(1),
            MetadataTokens.MethodDefinitionHandle(1)
        );
        var image = new BlobBuilder();
        new ManagedPEBuilder(
            new PEHeaderBuilder(imageCharacteristics: Characteristics.Dll),
            new MetadataRootBuilder(metadata),
            new BlobBuilder()
        ).Serialize(image);
        return image.ToArray();
    }
}
