namespace CamCube.Shim.Udp.Sealing;

/// <summary>Fills a span with random bytes that nobody can foretell: the operating system's, or a test's.</summary>
internal delegate void NonceSource(Span<byte> bytes);
